"""Arguments about private bilevel descent."""
