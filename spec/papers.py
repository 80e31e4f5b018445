"""The five papers whose claims are registered, and where in them a claim stands."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A place in a paper: the paper's key and the labels of the statement (and of the steps of its proof that are used)."""

    paper: str
    labels: tuple[str, ...]

    def __str__(self) -> str:
        return ", ".join(self.labels)


@dataclass(frozen=True)
class Paper:
    """A paper: its key in claim ids, authors, title, what of it was at hand, and its address."""

    key: str
    authors: str
    title: str
    at_hand: str
    address: str = ""
    """Where it is published; "" where that is not known for certain."""

    def at(self, *labels: str) -> Source:
        """The place in this paper that the labels name."""
        return Source(self.key, labels)


SPO = Paper("spo", "Wang and Qin", "Privacy-Enhanced Methods for the Predict-then-Optimize Framework", "whole")
QUANTILE = Paper(
    "quantile",
    "Chen and Chua",
    "Differentially Private Stochastic Convex Optimization under a Quantile Loss Function, ICML 2023",
    "whole, without figures; one display in the proof of Theorem 3.6 part 2 is lost",
    "https://proceedings.mlr.press/v202/chen23d.html",
)
NEWSVENDOR = Paper(
    "newsvendor",
    "Chen and Chua",
    "The private newsvendor, e-companion",
    "e-companion only: the main text's statements are rebuilt from its proofs",
    "https://doi.org/10.1287/opre.2024.1213",
)
BILEVEL = Paper(
    "bilevel",
    "Lowy and Liu",
    "Differentially Private Bilevel Optimization: Efficient Algorithms with Near-Optimal Rates",
    "whole",
    "https://arxiv.org/abs/2506.12994v1",
)
LP = Paper(
    "lp",
    "Su, Zhao and Wang",
    "Differentially Private Stochastic Convex Optimization in (Non)-Euclidean Space Revisited, supplement",
    "supplement only: Algorithms 1 to 4 and Theorems 1 to 10 are rebuilt from its proofs",
    "https://proceedings.mlr.press/v216/su23b.html",
)
PAPERS = {paper.key: paper for paper in (SPO, QUANTILE, NEWSVENDOR, BILEVEL, LP)}
