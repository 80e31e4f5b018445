"""Rows asked of memory before they are read, for rows drawn at random, which no processor foresees.

The request is an instruction of its own, and no load: a load that waits for memory holds up every instruction after it. It
changes no number; where kernels are not compiled nothing is asked for.
"""

from typing import Any

import numba
from llvmlite import ir
from numba.extending import intrinsic

from dpsco.fast.kernel import kernel

Array = Any
LINE = 64
"""Bytes that come at once."""


def request(typing_context: Any, address: Any) -> Any:
    """LLVM's prefetch of the data at an address, to be read soon and often; without a result."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer, flag, name = ir.IntType(8).as_pointer(), ir.IntType(32), "llvm.prefetch.p0"
        kind = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        read, often, data = flag(0), flag(3), flag(1)
        builder.call(function, [builder.inttoptr(values[0], pointer), read, often, data])
        return context.get_dummy_value()

    return numba.types.none(numba.types.intp), emit


def nothing(address: int) -> None:
    """What stands for the request in plain Python."""


ask = nothing if numba.config.DISABLE_JIT else intrinsic(request)


@kernel(forceinline=True)
def ask_row(X: Array, k: int) -> None:
    """Row k of a C-contiguous matrix of doubles, line by line; a last line that it hardly enters may be missing."""
    first = X.ctypes.data + k * X.strides[0]
    for address in range(first, first + 8 * X.shape[1], LINE):
        ask(address)
