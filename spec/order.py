"""The order in which the papers print what is registered: a reader goes from top to bottom.

Of a paper whose statements are rebuilt from their proofs it is the order of the proofs.
"""

from dpsco.spec.papers import BILEVEL, LP, NEWSVENDOR, QUANTILE, SPO

PRINTED: dict[str, str] = {
    SPO.key: (
        "notation-s sec-2.1 thm-1 thm-2 sec-2.3 sec-3.1 def-4 eq-2 def-5 def-6 sec-3.2-1 sec-3.2-2 sec-3.2-loss "
        "sec-3.2-smooth lem-1 eps0 sec-4-amgm sec-4-final lem-2 alg-1 lem-3 thm-3 thm-3-and-4 thm-4 thm-5 alg-2 thm-6 "
        "thm-7 thm-8 sec-6-conditions sec-6-rate lem-4 lem-5 thm-9 cor-1 sec-7-trend fig-3 table-1 app-c-projection "
        "thm-4-c thm-4-stability def-12 lem-6 lem-7 lem-8 app-d-1 app-d-2 app-d-3 app-e-smoothing app-g-vector"
    ),
    QUANTILE.key: (
        "sec-1-horowitz eq-1 lem-2.6 fig-1b sec-3.1-better sec-3.1-epi sec-3.1-moreau sec-3.1-piecewise eq-2 cond-1 "
        "table-1 lem-3.1-1 lem-3.1-2 lem-3.1-3 alg-1 thm-3.2 lem-3.3 thm-3.4 alg-2 thm-3.5 cond-2 thm-3.6-1 thm-3.6-2 "
        "thm-3.6-stability thm-3.7 sec-4.1-linear asm-4.1-reciprocal lem-4.2 lem-4.3 lem-4.4 thm-4.5 sec-4.2 thm-4.6 "
        "sec-5-times table-2 fig-4-7 thm-3.5-conditions thm-3.6-1-proof thm-3.7-binomial thm-3.7-comparator "
        "thm-3.7-error thm-3.7-resampling thm-3.7-sample lem-4.2-gradient lem-4.2-vector lem-B.1 lem-B.2 "
        "app-C-coefficient fig-8-12"
    ),
    NEWSVENDOR.key: (
        "lem-5 lem-EC.1 lem-EC.1-det lem-EC.1-sigma lem-EC.1-tail thm-1 projection thm-2 thm-2-approx thm-2-condition "
        "thm-2-stability alg-GP thm-3 lem-EC.3 thm-4 alg-SGP thm-5 thm-6 thm-7 thm-7-binomial thm-7-comparator "
        "thm-7-group thm-7-reduction prop-EC.1 sec-EC.2.1-n moreau lem-EC.4 sec-EC.2-moreau table-EC.3 lem-EC.5 "
        "sec-EC.2.3-examples lem-EC.6 thm-EC.1 thm-EC.1-condition thm-EC.1-tail lem-EC.7 thm-8 prop-1 lem-EC.8 "
        "lem-EC.9 prop-2 lem-EC.11 prop-3 prop-EC.2"
    ),
    BILEVEL.key: (
        "def-erm asm-2.1 eq-3 thm-3.1 thm-3.2-nonconvex eq-4 thm-3.2-sensitivity thm-3.2 score-sensitivity eq-5 "
        "thm-3.3 grid-walk lem-3.5 lem-3.6 lem-3.7 thm-3.8 thm-3.9 rem-3.10 eq-9 alg-1 eq-11 lem-4.1 "
        "inverse-perturbation thm-4.2 thm-4.2-privacy thm-4.3 lem-A.3 lem-A.4 lem-B.2 thm-B.4 lem-B.5 lem-B.6 lem-B.7 "
        "thm-B.8 lem-B.11 thm-B.13 thm-B.15 thm-B.16 eq-18 thm-3.9-identity lem-B.18 eq-20 lem-C.2 thm-C.3-bound "
        "lem-C.4 alg-2 sec-C.3"
    ),
    LP.key: (
        "gaussian-width thm-1 alg-5 lem-5 thm-2 thm-2-projection alg-1 lem-6 lem-7 lem-8 eq-5 thm-3 thm-4 thm-5 "
        "thm-11 thm-12 lem-9 lem-10 thm-6 gen-gaussian regular thm-7 phi thm-7-average thm-7-contraction thm-7-young "
        "lem-11 alg-3 lem-12 lem-13 thm-8 alg-6 lem-14 lem-14-risk lem-15 thm-9 lem-16 thm-10 thm-10-descent "
        "thm-10-freedman thm-10-noise lem-17 lem-18 lem-19 thm-14 alg-4 alg-7 thm-15"
    ),
}
"""Of each paper the labels of its claims, as their ids have them."""
