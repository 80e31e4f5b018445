"""quantile, Section 5: "Algorithm OP does not increase massively ... while other methods' ... increases significantly".

Mean seconds from Table 2 (n = 100, 1000, 5000), over those of the non-private model in the same column.
"""

from fractions import Fraction

TABLE = {
    3: {"non-private": "0.0 0.1 0.4", "OP": "0.0 0.3 2.8", "Phased-ERM": "0.2 0.2 0.3", "Phased-SGD": "0.1 0.1 0.1"},
    51: {"non-private": "0.1 0.2 1.6", "OP": "0.1 0.8 6.1", "Phased-ERM": "1.0 4.2 8.4", "Phased-SGD": "0.3 0.3 0.3"},
}
half = Fraction(1, 20)  # printed with one decimal
contradicted = 0
for d, rows in TABLE.items():
    times = {name: [Fraction(entry) for entry in row.split()] for name, row in rows.items()}
    for column, n in enumerate((100, 1000, 5000)):
        base, ours = times["non-private"][column], times["OP"][column]
        for name in ("Phased-ERM", "Phased-SGD"):
            other = times[name][column]
            if other + half < ours - half:
                contradicted += 1
                print(f"d = {d}, n = {n}: claimed above OP's {float(ours / base):.2f}, {name} has {float(other / base):.2f}")
assert contradicted >= 4
