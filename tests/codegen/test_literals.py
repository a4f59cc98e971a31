"""Constants read back exactly."""

import re
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.codegen import EmissionError
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.real import DOUBLE, FLOAT

FORM = r"-?(\d+\.\d*|\d+(\.\d+)?e[+-]?\d+)"


def single(value: float) -> float:
    return struct.unpack("f", struct.pack("f", value))[0]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles(value: float):
    text = literal(value, DOUBLE)
    assert re.fullmatch(FORM, text)
    assert float(text) == value


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_floats(value: float):
    text = literal(value, FLOAT)
    assert re.fullmatch(FORM + "f", text)
    assert single(float(text[:-1])) == value


@given(st.integers(-(10**30), 10**30))
def test_integers(value: int):
    assert float(literal(value, DOUBLE)) == float(value)


@given(st.fractions(max_denominator=10**9))
def test_fractions_round_correctly(value: Fraction):
    text = literal(value, DOUBLE)
    if "/" in text:
        assert re.fullmatch(r"\(-?\d+\.0/\d+\.0\)", text)
        numerator, denominator = (float(part) for part in text[1:-1].split("/"))
        assert numerator / denominator == float(value)
        assert Fraction(int(numerator), int(denominator)) == value
    else:
        assert float(text) == float(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_values_that_no_literal_has(value):
    with pytest.raises(EmissionError, match="finite"):
        literal(value, DOUBLE)
