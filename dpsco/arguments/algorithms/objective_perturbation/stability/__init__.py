"""Arguments on how far perturbed minimisers move: for the judge of stability."""
