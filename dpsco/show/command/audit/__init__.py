"""`dpsco audit`: a command for each mechanism of the table, and those of the other modules here."""
