"""The SPO loss, its convex surrogate, the smoothed surrogate, and the sets they are taken over."""
