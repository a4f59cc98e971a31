"""Model files at random: a `ModelError` or its kin, or a model; nothing else, and soon."""

from __future__ import annotations

import random

import pytest
from ending import ending
from hypothesis import given, settings
from hypothesis import strategies as st
from model.random_documents import answer, document
from random_seed import SEED

import eomc
from eomc import Model, ModelError
from eomc.derive.formats import parse_toml, parse_urdf


def judge(first: int, count: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for seed in range(first, first + count):
        try:
            result = answer(document(random.Random(seed)))
        except Exception as error:
            text = document(random.Random(seed))
            raise AssertionError(f"document {seed}: {error!r}\n{text}") from error
        found[result] = found.get(result, 0) + 1
    return found


def test_documents_of_a_seed() -> None:
    found = judge(SEED, 300)
    assert found["derived"] >= 5, (SEED, found)


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_documents_that_shrink(draw: random.Random) -> None:
    answer(document(draw))


@pytest.mark.slow
def test_many_documents() -> None:
    assert judge(SEED + 10**6, 5_000)["derived"] > 200


def test_what_divides_by_nothing_is_told_of_its_element() -> None:
    """Both ends of a spring at one place of the world, through a body that is welded there."""
    model = Model("point")
    model.body("stone", mass=1, inertia=(1, 1, 1))
    model.body("post")
    model.joint("weld", "fixed", parent="world", child="post")
    model.joint("turn", "revolute", parent="world", child="stone", axis=(0, 0, 1))
    model.spring("string", a="post", b="stone", stiffness=1)
    with pytest.raises(ModelError, match=r"test_random_documents.py:\d+: spring 'string': divis"):
        eomc.equations(model).program(functions=["forward_dynamics"])


BOMB = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 30))


@pytest.mark.parametrize(
    "read",
    [
        lambda: parse_urdf(f'<!DOCTYPE r [<!ENTITY e0 "x">{BOMB}]><robot name="&e29;"/>'.encode()),
        lambda: parse_urdf(b"<robot>" + b"<link>" * 100_000 + b"</robot>"),
        lambda: parse_urdf(b'<robot name="' + b"x" * 10**7 + b'"/>'),
        lambda: parse_toml("x = " + "[" * 100_000),
        lambda: parse_toml("x = " + "{a=" * 100_000),
        lambda: parse_toml("[" + "a." * 100_000 + "a]"),
        lambda: parse_toml(f'[[parameter]]\nname = "p"\nvalue = "{"(" * 100_000}"'),
        lambda: parse_toml(f'[[parameter]]\nname = "p"\nvalue = "{"-" * 20_000}1"'),
        lambda: parse_toml(f'[[parameter]]\nname = "p"\nvalue = "{"2**" * 500}2"'),
        lambda: parse_toml(f'[[parameter]]\nname = "p"\nvalue = {"9" * 10_000}'),
    ],
)
def test_bombs_end_with_a_sentence(read) -> None:  # type: ignore[no-untyped-def]
    with ending(), pytest.raises(ModelError, match=r"\w"):
        read()


@pytest.mark.slow
def test_very_large_models_end_with_a_sentence() -> None:
    """Of 100,000 bodies, from files of both kinds."""
    links, joints = '<link name="b-1"/>', ""
    for k in range(100_000):
        links += f'<link name="b{k}"/>'
        ends = f'<parent link="b{k - 1}"/><child link="b{k}"/>'
        joints += f'<joint name="j{k}" type="fixed">{ends}</joint>'
    with ending(), pytest.raises(ModelError, match=r"b19999'.*the most that"):
        parse_urdf(f'<robot name="r">{links}{joints}</robot>'.encode())
    bodies = "".join(f'[[body]]\nname = "b{k}"\n' for k in range(100_000))
    with ending(), pytest.raises(ModelError, match=r"b20000'.*the most that"):
        parse_toml(bodies)
