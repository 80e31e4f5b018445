"""The fuzzers' modules are found by name, here and by `python -m tests.fuzz.run`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
