"""Finding proof objects, and handing them to the kernel, which alone decides."""
