"""Arguments on sampling by exponential weights: privacy loss and risk."""
