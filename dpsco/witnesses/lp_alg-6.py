"""Algorithm 6: the phases are said to partition all n records, but their printed lengths n_i = floor(2^{-i} n) sum to less.

The sum over i = 1, ..., k = floor(log2 n) is n less the number of binary digits 1 of n (Legendre), which is at least 1.
"""

short = 0
for n in (2, 3, 7, 8, 1000, 1023, 1024, 999999):
    k = n.bit_length() - 1
    lengths = [n // 2**i for i in range(1, k + 1)]
    print(f"n = {n}: claimed n_1 + ... + n_{k} = {n}, the sum is {sum(lengths)}, digits 1 of n: {n.bit_count()}")
    assert sum(lengths) == n - n.bit_count() < n
    short += n - sum(lengths)
print(f"records without a phase in all: {short}")
