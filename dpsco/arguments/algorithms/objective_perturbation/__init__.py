"""Arguments on minimisers of perturbed objectives: their noise, stability and inexact solutions."""
