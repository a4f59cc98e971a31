"""Arguments of forms that make no sense are refused in the model's own words."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.derive.bodies import Beam, Form, ModalBody, TelescopicBeam
from eomc.derive.language.errors import ModelError

GOOD: dict[type[Form], dict[str, Any]] = {
    Beam: {"length": 2, "mass_per_length": 1, "EI": 3, "EA": 1, "GJ": 1, "modes": (1, 1, 1)},
    TelescopicBeam: {
        "slewing_length": 2,
        "slewing_mass": 1,
        "deployable_length": 2,
        "deployable_mass": 1,
        "EI": 3,
        "length": 3,
    },
    ModalBody: {
        "mass": 1,
        "first": (0, 0, 0),
        "inertia": np.eye(3).tolist(),
        "internal": [[1]],
        "stiffness": [[2]],
        "linear": [[0, 0, 0]],
        "angular": [[0, 0, 0]],
    },
}
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 5),
    st.floats(),
    st.sampled_from(["", "y", "tip", "s**2", "x", "1/0", "free-free", "y1", "a b", b"x"]),
    st.just(np.array([1.0, 2.0])),
    st.builds(object),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from(["y", "z", "y1", "q", "e1", "tip"]), inner, max_size=2),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", GOOD, ids=lambda kind: kind.__name__)
@settings(max_examples=150)
@given(data=st.data())
def test_garbage(kind: type[Form], data: Any) -> None:
    name = data.draw(st.sampled_from([f.name for f in fields(kind) if f.init]))
    value = data.draw(VALUES)
    try:
        form = kind(**{**GOOD[kind], name: value})
        xi = sympy.symbols(f"xi:{len(form.coordinates)}")
        form.invariants(xi)
        form.strain_energy(xi)
        form.dissipation(xi, xi)
        form.attachment("tip", xi)
    except ModelError as error:
        assert 0 < len(str(error)) < 1000


_SMALL, _LARGE = [5e-277, "1e-300", 1e-51], [1.3e154, 10**300, 1e51]


@pytest.mark.parametrize(
    ("kind", "name", "values"),
    [
        (Beam, "length", _SMALL + _LARGE),
        (TelescopicBeam, "length", _SMALL + _LARGE),
        (TelescopicBeam, "slewing_length", _SMALL + _LARGE),
        *((Beam, name, _LARGE) for name in ("mass_per_length", "EI", "EA", "GJ")),
        (TelescopicBeam, "slewing_mass", _LARGE),
        (TelescopicBeam, "EI", _LARGE),
        (ModalBody, "mass", _LARGE),
    ],
)
def test_numbers_whose_powers_are_no_doubles(
    kind: type[Form], name: str, values: list[float | str]
) -> None:
    for value in values:
        with pytest.raises(ModelError, match=f"{name} is .*; give"):
            kind(**{**GOOD[kind], name: value})


def test_as_good_as_no_mass() -> None:
    assert Beam(**{**GOOD[Beam], "mass_per_length": 1e-200}).mass_per_length == 1e-200


@pytest.mark.parametrize("kind", [Beam, TelescopicBeam])
@pytest.mark.parametrize("count", [101, 10**9, 2**1000])
def test_counts_of_modes_without_end(kind: type[Form], count: int) -> None:
    with pytest.raises(ModelError, match="modes of y; give a whole number, 0 to 100"):
        kind(**{**GOOD[kind], "modes": (count,)})
