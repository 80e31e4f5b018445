"""Black boxes: lower bounds on epsilon from a mechanism's outputs alone, and the corpus that audits the auditor."""
