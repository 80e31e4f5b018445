"""One decorator makes every kernel.

A kernel is compiled on its first call, without fastmath (tests compare bits), and cached on disk under a key that covers
the sources of its whole import closure and the versions of its compiler: numba's own cache looks at one file only and would
return old numbers after an edit in a module that the kernel imports. numba unpickles what it finds there, so where the
user has no folder that can be written nothing is kept.
"""

import pickle
from collections.abc import Callable
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy
from numba.core import caching, event

from dpsco.fast.closure import digest
from dpsco.fast.folders import KERNELS, cache_folder
from dpsco.fast.told import tell
from dpsco.spec.contract import Contract

Function = TypeVar("Function", bound=Callable[..., Any])

VERSIONS = f"numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {numpy.__version__}"


class _Told(event.Listener):
    def on_start(self, _: Any) -> None:
        tell(True)

    def on_end(self, _: Any) -> None:
        tell(False)


event.register("numba:compile", _Told())


def cache_key(module: str) -> str:
    """What the compiled kernels of a module depend on."""
    return digest(module, salt=VERSIONS)


class _ClosureLocator(caching._CacheLocator):
    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        folder = cache_folder(KERNELS)
        assert folder is not None, "a kernel without a folder has no cache"
        self._key = cache_key(py_func.__module__)
        self._name = py_func.__name__
        self._py_file = py_file
        self._path = folder / self._key[:16]

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._key

    def get_disambiguator(self) -> str:
        return self._name

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_ClosureLocator":
        return cls(py_func, py_file)


class _ClosureCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_ClosureLocator]  # noqa: RUF012


class _ClosureCache(caching.FunctionCache):
    _impl_class = _ClosureCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """A file that was cut short (a full disk, a power cut) is a miss: it is emptied, and written anew."""
        try:
            return super().load_overload(sig, target_context)
        except (EOFError, pickle.UnpicklingError, ValueError, KeyError, IndexError, AttributeError, ImportError):
            self.flush()
            return None


def kernel(implements: Contract | None = None, **options: Any) -> Callable[[Function], Function]:
    """Compile a function of arrays and scalars; `implements` gives it the contract's docstring, `options` go to numba.njit.

    A kernel that implements a contract must have its name and its parameters, in its order.
    """

    def wrap(function: Function) -> Function:
        if implements is not None:
            implements.adopt(function)
        # an entry for C code, which nobody calls, would hold the kernel's machine code once more: a tenth of the first call
        dispatcher = numba.njit(error_model="numpy", no_cfunc_wrapper=True, **options)(function)
        if hasattr(dispatcher, "_cache") and cache_folder(KERNELS) is not None:  # a plain function when the JIT is off
            dispatcher._cache = _ClosureCache(function)
        return cast(Function, dispatcher)

    return wrap


def only_read(array: Any) -> Any:
    """The array as contiguous doubles that cannot be written, for a kernel that only reads it: a kernel is compiled for each
    type of its arguments, and rows of a mapped file cannot be written either."""
    found = numpy.ascontiguousarray(array, dtype=numpy.float64).view()
    found.flags.writeable = False
    return found


def bind(function: Callable[..., Any], contract: Contract) -> None:
    """Give a plain function that calls kernels the contract's docstring, after a check of its signature."""
    contract.adopt(function)
