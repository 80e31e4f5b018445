"""Arguments on norms and convex sets."""
