"""The kernel: the only thing that decides a verdict. It checks proof objects, which `docs/proof_objects.md` defines.

    python -m dpsco.kernel FILE

It imports the standard library, flint and `dpsco.spec.expressions`, and is at most 2,000 lines with these. It trusts no part of
its input: what is read is counted before anything is computed with it, work is counted while it is done.

ranges     intervals with rational or no ends, and the functions of one argument
enclosure  balls that hold the value of an expression
ring       quotients of polynomials in atoms
scope      symbols and facts; where expressions are defined, their ranges and signs
limits     limits as a symbol tends to infinity
rules      what each step of a proof shows
check      statements, lemmas, answers: the verdict
"""
