"""Replay: a run's mechanism answers, given again on a neighbouring data set, must lead to the same run."""
