"""Plans: many releases under one budget, composed with both ends proved, and the certificate that says so."""
