"""Bilevel problems in doubles: oracles, certified lower solver, hypergradient."""
