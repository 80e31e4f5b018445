"""Arguments on the distance to the optimum: for the judge of estimation."""
