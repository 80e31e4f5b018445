"""Arguments about bilevel losses: how far lower minimisers lie apart, and what that does to the objective."""
