"""What smoothing the loss does to its minimiser, for explicit distributions."""
