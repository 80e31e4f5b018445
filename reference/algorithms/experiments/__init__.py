"""Reference implementations of the quantities of experiments."""
