"""What runs vary: by the number of the run alone."""

from __future__ import annotations

import numpy as np
import pytest

from eomc.runtime.chance.counter_random import philox, uniform
from eomc.runtime.study import Choice, Grid, Listed, LogUniform, Normal, Random, Uniform


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0,) * 4, (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_is_philox(counter: tuple, key: tuple, expected: tuple) -> None:
    """Known answers of its authors (Random123, philox4x32, ten rounds)."""
    words = philox(np.array(counter, np.uint64)[:, None], np.array(key, np.uint64))
    assert words[:, 0].tolist() == list(expected)


def test_draws_depend_on_the_run_alone() -> None:
    runs = Random(100, {"q": Uniform([0, 0, 0], 1), "p.m": Normal(3, 2)}, seed=11)
    sizes = {"q": 3, "p.m": 0}
    whole = runs.values(np.arange(100), sizes)
    some = runs.values(np.array([7, 93]), sizes)
    for name in ("q", "p.m"):
        assert np.array_equal(whole[name][[7, 93]], some[name])
    other = Random(100, {"q": Uniform([0, 0, 0], 1), "p.m": Normal(3, 2)}, seed=12)
    assert not np.isclose(other.values(np.arange(100), sizes)["q"], whole["q"]).any()
    assert runs.generator(7).random() == runs.generator(7).random() != runs.generator(8).random()


def test_draws_are_as_distributed() -> None:
    n = 20000
    x = uniform(3, 1, np.arange(n), 3)
    assert x.min() > 0 and x.max() < 1
    deviation = 1 / np.sqrt(12 * n)
    np.testing.assert_allclose(x.mean(axis=0), 0.5, atol=5 * deviation)
    assert np.abs(np.corrcoef(x.T) - np.eye(3)).max() < 5 / np.sqrt(n)
    normal = Normal(2, 3).of(x[:, 0])
    assert abs(normal.mean() - 2) < 0.1 and abs(normal.std() - 3) < 0.1
    assert np.isclose(np.median(LogUniform(1, 100).of(x[:, 0])), 10, rtol=0.1)
    assert set(Choice([1, 5, 7]).of(x[:, 0])) == {1, 5, 7}


def test_a_grid_is_all_combinations() -> None:
    runs = Grid({"p.m": [1, 2], "p.l": [3, 4, 5]})
    told = runs.values(np.arange(len(runs)), {})
    pairs = {*zip(told["p.m"].tolist(), told["p.l"].tolist(), strict=True)}
    assert len(runs) == 6 and pairs == {(m, n) for m in (1, 2) for n in (3, 4, 5)}


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Random(0, {"q": Uniform(0, 1)}), "size is 0; give a whole number, at least 1"),
        (lambda: Random(3, {"q": Uniform(0, 1)}, seed=-1), "seed is -1"),
        (lambda: Random(3, {"q": 1.0}), r"'q': give Uniform\(...\)"),
        (lambda: Random(3, {}), "give a mapping of names"),
        (lambda: Uniform(1, 0), "low 1 is above high 0"),
        (lambda: LogUniform(0, 1), "give 0 < low <= high"),
        (lambda: Normal(0, -1), "deviation is -1; give none below 0"),
        (lambda: Choice([]), "Choice: values: give a sequence"),
        (lambda: Uniform("a", 1), "Uniform: low: give numbers, not str"),
        (lambda: Grid({"q.a": []}), "'q.a': give a sequence of finite numbers"),
        (lambda: Grid({"q": [1]}).values(np.array([0]), {"q": 2}), "name its entries: q.NAME"),
        (lambda: Listed({"q.a": [1], "u.a": [1, 2]}), "columns of different lengths"),
        (lambda: Listed({"q": [1.0]}).values(np.array([0]), {"q": 2}), r"expected \(1, 2\)"),
        (
            lambda: Random(2, {"q": Uniform([0, 0], 1)}).values(np.array([0]), {"q": 3}),
            "not of shape",
        ),
    ],
)
def test_bad_input(make: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make()  # type: ignore[operator]
