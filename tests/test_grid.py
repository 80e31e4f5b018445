"""What a grid says that it covered."""

from itertools import permutations

from dpsco.instances.grid import Grid


def test_coverage_does_not_hang_on_the_order_of_instances():
    """As doubles 0 and 1e-30000 are one number, and a set's order differs from process to process."""
    values = ("1e-30000", "0", "1e-9", "1")
    said = {Grid(tuple({"delta": value} for value in order)).coverage for order in permutations(values)}
    assert said == {("delta: 4 in [0, 1]",)}
    assert Grid(tuple({"law": law} for law in ("b", "a"))).coverage == ("law: 2 in [a, b]",)
