"""The subsampled Gaussian mechanism in doubles: least delta of many steps."""

from dpsco.fast.privacy.subsampling.many_steps import add, remove, replace

__all__ = ["add", "remove", "replace"]
