"""What stands for an expression in a formula: a claim's parameter is written where its symbol is meant."""

from abc import ABC, abstractmethod

from dpsco.spec.expressions import Condition, Expr, Number


class Operand(ABC):
    """Arithmetic and comparisons as of the expression that it stands for; equality stays its own."""

    @property
    @abstractmethod
    def expression(self) -> Expr: ...

    def __add__(self, other: Number) -> Expr:
        return self.expression + other

    def __radd__(self, other: Number) -> Expr:
        return other + self.expression

    def __sub__(self, other: Number) -> Expr:
        return self.expression - other

    def __rsub__(self, other: Number) -> Expr:
        return other - self.expression

    def __mul__(self, other: Number) -> Expr:
        return self.expression * other

    def __rmul__(self, other: Number) -> Expr:
        return other * self.expression

    def __truediv__(self, other: Number) -> Expr:
        return self.expression / other

    def __rtruediv__(self, other: Number) -> Expr:
        return other / self.expression

    def __pow__(self, other: Number) -> Expr:
        return self.expression**other

    def __rpow__(self, other: Number) -> Expr:
        return other**self.expression

    def __neg__(self) -> Expr:
        return -self.expression

    def __lt__(self, other: Number) -> Condition:
        return self.expression < other

    def __le__(self, other: Number) -> Condition:
        return self.expression <= other

    def __gt__(self, other: Number) -> Condition:
        return self.expression > other

    def __ge__(self, other: Number) -> Condition:
        return self.expression >= other
