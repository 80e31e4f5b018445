"""Arguments on data and spaces: linear quantile models, resampling, order statistics, regular norms."""
