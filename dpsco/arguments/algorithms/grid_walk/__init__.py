"""Arguments on the grid walk: conductance, mixing time, what its output is distributed like."""
