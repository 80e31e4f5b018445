"""Private bilevel descent at any precision."""
