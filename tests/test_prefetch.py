"""Rows asked for before they are read: requests are made, line by line, and nothing is read or changed."""

import numpy as np
import pytest

from dpsco.fast.prefetch import LINE, ask_row, nothing


def test_a_request_is_an_instruction_and_changes_nothing():
    X = np.arange(60.0).reshape(3, 20)
    kept = X.copy()
    for k in (0, 2, 10**9):  # a place that is no record's: a request never fails
        ask_row(X, k)
    assert np.array_equal(X, kept)
    ask_row.recompile()  # what the cache on disk holds has no text to look at
    for text in ask_row.inspect_llvm().values():  # of rows that may be written, and of those that may not
        assert "call void @llvm.prefetch" in text
        assert f", {LINE}" in text


def test_plain_python_does_without():
    assert nothing(0) is None
    with pytest.raises(TypeError):
        nothing()
