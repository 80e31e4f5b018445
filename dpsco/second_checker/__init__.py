"""A second checker of the arithmetic in proof objects: it shares neither code nor flint with the kernel."""
