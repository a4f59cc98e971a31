"""Text of a model is text in every file: names, units and descriptions are never markup or code."""

from __future__ import annotations

import re
import zipfile
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import eomc
from eomc.runtime import CompiledModel, Trajectory

pytestmark = pytest.mark.variants

MARKUP = (
    "&lt;/mi>&lt;img src=x onerror=a()> </mi></script><img src=y onerror=b()> \\href{javascript:c} "
    "$\\frac$ ]]> */ --> \"'`${d} %s {0}"
)
"""Ends of elements, scripts, comments, sections and strings of all the formats that are written."""


def hostile(word: str) -> str:
    return f"{word} {MARKUP}"


def pendulum() -> eomc.Model:
    """A pendulum that carries a slide, with such text wherever a model holds any."""
    model = eomc.Model(hostile("model"), description=hostile("model"), gravity=(0, 0, "-g"))
    model.parameter("g", 9.81, units=hostile("m"), description=hostile("g"), tunable=True)
    for carrier, body, joint, kind in (
        ("world", hostile("arm"), hostile("hinge"), "revolute"),
        (hostile("arm"), hostile("bob"), hostile("slide"), "prismatic"),
    ):
        model.body(body, mass=1.0, com=(0.1, 0, -0.5), inertia=(0.1, 0.1, 0.1))
        model.joint(joint, kind, parent=carrier, child=body, axis=(0, 1, 0))
    model.frame(hostile("tip"), hostile("bob"), (0, 0, -1))
    model.spring(
        hostile("spring"),
        "world",
        eomc.Point(hostile("bob"), (0, 1, 0)),
        stiffness=3.0,
        free_length=0.1,
    )
    model.input("drive", units=hostile("N"), description=hostile("drive"))
    model.generalized_force(hostile("force"), hostile("hinge"), "drive")
    model.output(hostile("out"), "2*drive")
    return model


@cache
def equations() -> eomc.Equations:
    return eomc.equations(pendulum())


@cache
def compiled() -> CompiledModel:
    return eomc.build(pendulum())


@cache
def run() -> Trajectory:
    return eomc.simulate(compiled(), t_span=0.1, step=0.01)


class Elements(HTMLParser):
    """Elements of a page and of the pages in its frames."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        for frame in re.findall(r'srcdoc="([^"]*)"', text):
            self.found += Elements(unescape(frame)).found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def film(path: Path) -> str:
    run().animate(path, fps=20, dpi=20)
    return path.read_text(encoding="utf-8")


PAGES = {
    "model": lambda folder: pendulum()._repr_html_(),
    "equations": lambda folder: equations()._repr_html_(),
    "page": lambda folder: compiled().view().html,
    "run": lambda folder: run().view().html,
    "report": lambda folder: compiled().report(equations=equations(), run=run()).html,
    "linear": lambda folder: eomc.linearize(compiled())._repr_html_(),
    "modes": lambda folder: eomc.linearize(compiled()).modes()._repr_html_(),
    "verifier": lambda folder: eomc.verify(
        pendulum(), quick=True, checks=["mass matrix"]
    )._repr_html_(),
    "film": lambda folder: film(folder / "film.html"),
}


@pytest.mark.filterwarnings("ignore::eomc.derive.model.plausible.ImplausibleModelWarning")
@pytest.mark.filterwarnings("ignore:constrained_layout")  # such names leave curves no place
@pytest.mark.parametrize("page", PAGES)
def test_pages_hold_no_markup_of_a_model(tmp_path: Path, page: str) -> None:
    found = Elements(PAGES[page](tmp_path)).found
    assert found
    for tag, attributes in found:
        assert not {"a()", "b()"} & set(attributes.values()), (tag, attributes)
        assert (attributes.get("src") or "data:").startswith("data:"), (tag, attributes)
        assert "javascript:" not in (attributes.get("href") or ""), (tag, attributes)


@pytest.mark.filterwarnings("ignore::eomc.derive.model.plausible.ImplausibleModelWarning")
def test_equations_hold_no_markup_of_a_model() -> None:
    """Each name is the text of one element, and no command of LaTeX."""
    quantity = equations().inverse_dynamics
    text = quantity.to_mathml().replace("&InvisibleTimes;", "")
    names = {element.text for element in ElementTree.fromstring(text).iter("mi")}
    assert {hostile("hinge"), hostile("slide")} <= names
    latex = quantity.to_latex()
    assert "\\href" not in latex and "\\frac$" not in latex and "$" not in latex.replace("\\$", "")


@pytest.mark.filterwarnings("ignore::eomc.derive.model.plausible.ImplausibleModelWarning")
def test_sources_hold_no_code_of_a_model(tmp_path: Path) -> None:
    """The C compiles (its comments do not end early), and CMake is told plain names."""
    assert compiled().forward_dynamics([0.1, 0.2], [0, 0], [0, 0], [0]).shape == (2,)
    eomc.emit(pendulum(), tmp_path, python=True)
    for path in tmp_path.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.name == "CMakeLists.txt":
            assert "javascript" not in text.replace("href_javascript", "") and "${d}" not in text
        if path.suffix == ".py":
            compile(text, path.name, "exec")


def test_a_unit_describes_itself_in_text(tmp_path: Path) -> None:
    model = eomc.Model("plain", description=MARKUP)
    model.parameter("m", 1.0, units="kg", description=MARKUP, tunable=True)
    model.body("bob", mass="m")
    model.joint("slide", "prismatic", parent="world", child="bob", axis=(0, 0, 1))
    with zipfile.ZipFile(eomc.fmu(model, tmp_path / "plain.fmu", platforms=())) as unit:
        description = ElementTree.fromstring(unit.read("modelDescription.xml"))
    assert MARKUP in description.attrib["description"]
    assert any(MARKUP in (found.get("description") or "") for found in description.iter())
