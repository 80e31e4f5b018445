"""What the runs of a sampler look like: effective sample size and split R-hat. Neither proves anything about its law."""

from random import Random

from dpsco.spec.contract import POSITIVE, ULPS, Inputs, Range, contract


def any_chain(random: Random) -> Inputs:
    """An autoregression of one number, up to 60 steps."""
    memory, x, chain = random.uniform(-0.9, 0.95), 0.0, []
    for _ in range(random.randint(4, 60)):
        x = memory * x + random.gauss(0, 1)
        chain.append(x)
    return {"chain": chain}


def any_chains(random: Random) -> Inputs:
    """Two to four such runs of one length, each from a place of its own."""
    steps = random.randint(4, 40)
    return {"chains": [[random.gauss(3 * i % 2, 1) for _ in range(steps)] for i in range(random.randint(2, 4))]}


@contract(metric=ULPS, range=Range("0", lambda m, chain: len(chain), high_open=False), generate=any_chain)
def effective_size(chain: object) -> float:
    """How many independent draws estimate the mean as well as a run of one number.

    S/max(1, 2 (sum over k of G_k) - 1), G_k = r_{2k} + r_{2k+1}, not increasing, while positive; r_t the autocorrelation

    Domain   chain: S >= 4 numbers, not all equal
    Returns  a number of draws, at most S. A diagnostic: it certifies nothing
    Raises   ValueError for a shorter or a constant run
    Source   Geyer 1992, initial monotone positive sequence
    """


@contract(metric=ULPS, range=POSITIVE, generate=any_chains)
def split_r_hat(chains: object) -> float:
    """Spread of all half runs over the spread within each: near 1 where runs from different starts agree.

    sqrt(((h - 1) W/h + V)/W), h the length of a half, W the mean variance within halves, V the variance of their means

    Domain   chains: M x S, S >= 4, not all halves constant (a middle step of odd S is left out)
    Returns  a ratio. A diagnostic: it certifies nothing
    Raises   ValueError for shorter runs, runs of different lengths, or halves that are all constant
    Source   Gelman et al., Bayesian Data Analysis (2013), Section 11.4
    """
