"""Arguments on noisy descent: what its steps release, and what its average reaches."""
