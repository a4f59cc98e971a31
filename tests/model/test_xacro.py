"""xacro files: arguments, packages, and expressions that would take all time or memory."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from ending import ending

from eomc import Model, ModelError
from eomc.derive.formats import load, xacro

pytest.importorskip("xacro", reason="the package xacro is not installed")
pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")

HEAD = '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'  # noqa: E501
TWO = f"""{HEAD}<xacro:arg name="n" default="1"/><xacro:arg name="grip" default="false"/>
<link name="a"/><link name="b">{MASS}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<xacro:if value="${{$(arg n) > 1}}"><link name="c">{MASS}</link>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint></xacro:if>
<xacro:if value="$(arg grip)"><link name="d">{MASS}</link>
<joint name="l" type="continuous"><parent link="b"/><child link="d"/></joint></xacro:if>
</robot>"""


def read(path: Path, text: str, **options: Any) -> Model:
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return load(path, **options)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arm.urdf.xacro"


def test_arguments(path: Path) -> None:
    assert read(path, TWO).coordinates == ("j",)
    assert read(path, TWO, arguments={"n": 2}).coordinates == ("j", "k")
    assert read(path, TWO, arguments={"n": "1", "grip": True}).coordinates == ("j", "l")
    with pytest.raises(
        ModelError, match=r"xacro: arguments: .*no argument 'm'; valid: 'grip', 'n'"
    ):
        read(path, TWO, arguments={"m": 2})
    with pytest.raises(ModelError, match="arguments: URDF files have none; xacro files do"):
        read(path.with_name("arm.urdf"), "<robot/>", arguments={"n": 2})


def test_packages(path: Path) -> None:
    parts = path.parent / "parts" / "arm_parts"
    parts.mkdir(parents=True)
    (parts / "link.xacro").write_text(f'{HEAD}<link name="a">{MASS}</link></robot>')
    text = f'{HEAD}<xacro:include filename="$(find arm_parts)/link.xacro"/></robot>'
    for folder in (parts, parts.parent):
        assert list(read(path, text, packages=[folder]).bodies) == ["a"]
    with pytest.raises(ModelError, match="xacro cannot expand it"):
        read(path, text)


GIANTS = {
    "a power": "9**9**9**9",
    "a power of a negative": "(-7)**10**9",
    "a text": "'a'*10**10",
    "a text the other way": "10**10*'a'",
    "a list": "[0]*10**9",
    "a list of lists": "[[0]*10**5]*10**7",
    "a range": "list(range(10**9))",
    "a range of the namespace": "sum(python.range(10**12))",
    "a product": "(2**4000)*(2**4000)",
    "a shift": "1 &lt;&lt; 10**10",
    "a factorial": "factorial(10**8)",
    "binomials": "math.comb(10**8, 5*10**7)",
    "a name of Python's own": "().__class__",
}


@pytest.mark.parametrize("giant", GIANTS)
def test_giants_are_refused_with_their_line(path: Path, giant: str) -> None:
    """At the operator that would make them, so that nothing waits for them."""
    text = f'{HEAD}<link name="a"/>\n<link name="${{{GIANTS[giant]}}}"/></robot>'
    with ending(), pytest.raises(ModelError) as caught:
        read(path, text)
    told = str(caught.value)
    assert told.startswith(f"{path}:3: xacro cannot expand it: ")
    assert any(word in told for word in ("too large", "not defined", "not allowed", "attribute"))


def test_texts_that_double_and_macros_that_call_macros(path: Path) -> None:
    double = "".join(
        f'<xacro:property name="s{k}" value="${{s{k - 1} + s{k - 1}}}"/>\n' for k in range(1, 60)
    )
    text = (
        f'{HEAD}<xacro:property name="s0" value="aaaa"/>\n{double}<link name="${{s59}}"/></robot>'
    )
    with ending(), pytest.raises(ModelError, match=r"xacro:\d+: .*too large"):
        read(path, text)
    calls = "".join(
        f'<xacro:macro name="m{k}">{f"<xacro:m{k - 1}/>" * 10}</xacro:macro>\n' for k in range(1, 9)
    )
    text = f'{HEAD}<xacro:macro name="m0"><a/></xacro:macro>\n{calls}<xacro:m8/></robot>'
    with ending(), pytest.raises(ModelError, match="more than 5000 calls of macros"):
        read(path, text)
    text = f'{HEAD}<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/></robot>'
    with ending(), pytest.raises(ModelError, match=r"xacro cannot expand it: .*recursion"):
        read(path, text)


@pytest.mark.slow
def test_what_takes_all_time_or_memory_is_ended(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no operator tells beforehand, the system's limits on the process do."""
    monkeypatch.setattr(xacro, "_SECONDS", 2)
    monkeypatch.setattr(xacro, "_MEMORY", 2**29)
    for expression in (
        "[0 for i in range(10**6) for k in range(10**6) if False]",
        "'1'.zfill(10**10)",
        "sum([[1]*10**5]*10**5, [])",
    ):
        with ending(), pytest.raises(ModelError, match=r"xacro:2: xacro cannot expand it"):
            read(path, f'{HEAD}<link name="${{{expression}}}"/></robot>')


def test_usual_expressions(path: Path) -> None:
    """Operators that are looked at do what they do in Python."""
    values = {
        "2**10": "1024",
        "2**-1": "0.5",
        "3*'ab'": "ababab",
        "[1, 2]*2": "[1, 2, 1, 2]",
        "7 % 4": "3",
        "'%.2f' % pi": "3.14",
        "1.5*2": "3.0",
        "1 &lt;&lt; 4": "16",
        "list(map(lambda x: x**2, range(3)))": "[0, 1, 4]",
    }
    links = "".join(f'<link name="${{{text}}}"/>' for text in values)
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="1024"/><child link="{name}"/></joint>'
        for k, name in enumerate(list(values.values())[1:])
    )
    assert list(read(path, f"{HEAD}{links}{joints}</robot>").bodies) == list(values.values())
