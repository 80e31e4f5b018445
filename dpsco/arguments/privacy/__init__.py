"""Arguments on mechanisms: noise scales, composition, half-spheres, shuffling."""
