"""Samplers of densities that fall exponentially in the loss, literally."""
