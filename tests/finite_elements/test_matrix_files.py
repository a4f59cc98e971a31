"""Matrices from files: every format, what is wrong by file and line, and files of garbage."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from eomc.derive.finite_elements.matrix_files import read_matrix
from eomc.derive.finite_elements.matrix_market import read_matrix_market
from eomc.derive.model import ModelError

FULL = np.array([[2.0, -1.0, 0], [-1.0, 3.0, 0.5], [0, 0.5, 1.0]])
SPARSE = scipy.sparse.csc_matrix(FULL)


def test_every_format(tmp_path: Path) -> None:
    scipy.io.mmwrite(tmp_path / "a.mtx", SPARSE, symmetry="symmetric", precision=17)
    scipy.io.mmwrite(tmp_path / "b.mtx", FULL)
    scipy.sparse.save_npz(tmp_path / "c.npz", SPARSE)
    np.savez(tmp_path / "d.npz", M=FULL, K=2 * FULL)
    np.save(tmp_path / "e.npy", np.triu(FULL))
    scipy.io.hb_write(tmp_path / "f.rua", SPARSE)
    for name in ("a.mtx", "b.mtx", "c.npz", "e.npy", "f.rua"):
        np.testing.assert_allclose(read_matrix(tmp_path / name).toarray(), FULL, rtol=1e-12)
    np.testing.assert_allclose(read_matrix(tmp_path / "d.npz", "K").toarray(), 2 * FULL)


def test_what_is_no_matrix_of_a_structure(tmp_path: Path) -> None:
    np.savez(tmp_path / "two.npz", M=FULL, K=FULL)
    np.save(tmp_path / "wide.npy", np.ones((2, 3)))
    np.save(tmp_path / "skew.npy", np.array([[1.0, 2.0], [-2.0, 1.0]]))
    np.save(tmp_path / "nan.npy", np.array([[np.nan]]))
    np.save(tmp_path / "text.npy", np.array([["a"]]))
    (tmp_path / "m.xls").write_text("")
    for name, message in (
        ("none.mtx", "none.mtx: there is no such file"),
        ("two.npz", "holds M, K; name one"),
        ("wide.npy", "is not square"),
        ("skew.npy", "is not symmetric"),
        ("nan.npy", "is not finite"),
        ("text.npy", "cannot be read|is not real"),
        ("m.xls", "unknown kind of file"),
    ):
        with pytest.raises(ModelError, match=message):
            read_matrix(tmp_path / name)


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
@pytest.mark.parametrize("sparse", [True, False])
def test_matrix_market_as_scipy_writes_it(tmp_path: Path, symmetry: str, sparse: bool) -> None:
    random = np.random.default_rng(3).normal(size=(5, 5))
    dense = {
        "general": random[:, :3],
        "symmetric": random + random.T,
        "skew-symmetric": random - random.T,
    }[symmetry]
    path = tmp_path / "m.mtx"
    matrix = scipy.sparse.coo_matrix(dense) if sparse else dense
    scipy.io.mmwrite(path, matrix, comment="by columns", symmetry=symmetry, precision=17)
    np.testing.assert_array_equal(read_matrix_market(path).toarray(), dense)


HEAD = "%%MatrixMarket matrix coordinate real symmetric\n% of a tower\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.mtx:1: cannot be read: begin with '%%MatrixMarket"),
        (HEAD.replace("real", "complex"), "m.mtx:1: the matrix is not real: 'complex'"),
        (
            HEAD.replace("symmetric", "hermitian"),
            "m.mtx:1: symmetry 'hermitian'; valid: general, sym",
        ),
        (HEAD.replace("coordinate", "list"), "m.mtx:1: format 'list'; valid: 'coordinate'"),
        (HEAD, "m.mtx:2: give the size as 3 whole numbers"),
        (HEAD + "3 3\n", "m.mtx:3: give the size as 3 whole numbers"),
        (HEAD + "3 99999999999 1\n", r"m.mtx:3: a matrix of shape \(3, 99999999999\)"),
        (HEAD + "3 3 2\n1 1 2.0\n", "m.mtx:4: ends after 1 of 2 entries"),
        (HEAD + "3 3 1\n1 1 2.0\n\n2 2 1\n", "m.mtx:6: more than the 1 entries announced"),
        (HEAD + "3 3 2\n1 1 2.0\n2 x 1\n", "m.mtx:5: 'x' is no place in a matrix of shape"),
        (HEAD + "3 3 2\n1 1 2.0\n0 1 1\n", "m.mtx:5: '0' is no place"),
        (HEAD + "3 3 2\n1 1 2.0\n2 1\n", "m.mtx:5: 2 words, needs 3: row, column, value"),
        (HEAD + "3 3 1\n1 1 2,0\n", "m.mtx:4: '2,0' is no number"),
        ("%%MatrixMarket matrix array real general\n9999 9999\n1\n", "m.mtx:2: too few entries"),
        (HEAD + "2 2 1\n1 1 nan\n", "m.mtx: the matrix is not finite"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "m.mtx"
    path.write_text(text)
    with pytest.raises(ModelError, match=message):
        read_matrix(path)


def written(write: Callable[[Any], object]) -> bytes:
    target = io.BytesIO()
    write(target)
    return target.getvalue()


def _boeing() -> bytes:
    target = io.StringIO()
    scipy.io.hb_write(target, SPARSE)
    return target.getvalue().encode()


FILES = {
    "coordinate.mtx": written(lambda to: scipy.io.mmwrite(to, SPARSE, symmetry="symmetric")),
    "array.mtx": written(lambda to: scipy.io.mmwrite(to, FULL)),
    "sparse.npz": written(lambda to: scipy.sparse.save_npz(to, SPARSE, compressed=False)),
    "two.npz": written(lambda to: np.savez(to, M=FULL, K=FULL)),
    "full.npy": written(lambda to: np.save(to, FULL)),
    "boeing.rb": _boeing(),
}


def test_indices_that_lead_nowhere(tmp_path: Path) -> None:
    """Columns that begin behind the last entry: a message, and no reading past the arrays."""
    lines = FILES["boeing.rb"].decode().splitlines()
    assert lines[4] == " 1 3 6 8"
    lines[4] = " 199 6 8"
    path = tmp_path / "wild.rb"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ModelError, match=r"wild\.rb"):
        read_matrix(path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
def test_garbage(name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bytes changed, put in or cut off: a matrix, or a message that names the file."""
    content = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        cut = data.draw(st.sampled_from([0, 1, 1, 3, len(content)]))
        content[at : at + cut] = data.draw(
            st.one_of(st.binary(max_size=4), st.sampled_from([b"9", b"-", b"\n", b" ", b"."]))
        )
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(bytes(content))
    try:
        matrix = read_matrix(path)
    except ModelError as error:
        assert name in str(error) and len(str(error)) < 1000
    else:
        assert np.isfinite(matrix.data).all()
        assert abs(matrix - matrix.T).sum() == 0
