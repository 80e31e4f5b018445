"""Arguments on mirror descent: what it reaches, with the printed potential and with a strongly convex one."""
