"""Full-gradient descent with Gaussian noise in every step."""
