"""Private bilevel descent in doubles."""
