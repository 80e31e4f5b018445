"""Arguments on losses: kernels, smoothings of the check loss, Moreau envelopes."""
