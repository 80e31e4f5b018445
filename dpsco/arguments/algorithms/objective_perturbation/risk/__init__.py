"""Arguments on the excess risk: for the judges of utility, of discrete demand, of projection and of products."""
