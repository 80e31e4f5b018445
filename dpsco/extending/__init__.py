"""Papers of one's own: claims and judges from a file or an installed module, judged as the five papers' are."""
