"""Proofs of the kernel lemmas: every module has a dict `PROOFS` from the lemma's id to its proof."""
