"""modelDescription.xml and what lies beside it: variables, units and structure as XML.

References: *Functional Mock-up Interface for Model Exchange and Co-Simulation*, 2.0.4 (2022), and
*Functional Mock-up Interface Specification*, 3.0.1 (2023). The two differ in the names of nearly
everything; each version is a record of its own, `FMI2` and `FMI3`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from eomc.codegen.fmi.units import BASE, unit
from eomc.codegen.fmi.variables import FmiVariable, VariableLayout

_CONTROL = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff\ud800-\udfff]+")


@dataclass(frozen=True)
class Named:
    """Names and description of a unit, its tool and its C files.

    Attributes
    ----------
    model, identifier, token, description : str
        The model's name, that of the binaries, guid or instantiation token, one line.
    tool : str
        Name and version of what made it.
    sources : tuple of str
        C files to compile, in sources/.
    """

    model: str
    identifier: str
    token: str
    description: str
    tool: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Version:
    """One version of the standard.

    Attributes
    ----------
    name : str
        ``"2"`` or ``"3"``.
    headers : tuple of str
    template : str
        C of the interface.
    logger : str
        C type of the message callback.
    adjoint : bool
        Whether it asks for adjoint derivatives.
    icon : str
        Where the picture of the unit lies.
    describe : callable
        Files of XML by their place in the archive.
    """

    name: str
    headers: tuple[str, ...]
    template: str
    logger: str
    adjoint: bool
    icon: str
    describe: Callable[[VariableLayout, Named], dict[str, str]]


def _text(words: str) -> str:
    """One line that XML can hold."""
    return _CONTROL.sub(" ", words).strip()


def _number(value: float) -> str:
    return repr(float(value))


def _written(root: Xml.Element) -> str:
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def _under(parent: Xml.Element, tag: str, **attributes: object) -> Xml.Element:
    """A child with those attributes that are not None or empty."""
    kept = {k: str(v) for k, v in attributes.items() if v is not None and v != ""}
    return Xml.SubElement(parent, tag, kept)


def _root(version: str, layout: VariableLayout, named: Named, **more: object) -> Xml.Element:
    root = Xml.Element("fmiModelDescription", {"fmiVersion": version})
    attributes = {
        "modelName": _text(named.model),
        **more,
        "description": _text(named.description),
        "generationTool": named.tool,
        "variableNamingConvention": "structured",
    }
    for key, value in attributes.items():
        if value != "":
            root.set(key, str(value))
    return root


def _units(root: Xml.Element, layout: VariableLayout) -> None:
    if not layout.units:
        return
    definitions = _under(root, "UnitDefinitions")
    for name in layout.units:
        found = unit(name)
        assert found is not None
        pairs = zip(BASE, found.exponents, strict=True)
        base = {symbol: exponent for symbol, exponent in pairs if exponent}
        factor = None if found.factor == 1 else _number(found.factor)
        _under(_under(definitions, "Unit", name=name), "BaseUnit", **base, factor=factor)


def _log_categories(root: Xml.Element) -> None:
    categories = _under(root, "LogCategories")
    for name, meaning in (
        ("Error", "what was asked cannot be"),
        ("Discard", "it fails at this state"),
    ):
        _under(categories, "Category", name=f"logStatus{name}", description=meaning)


def _experiment(root: Xml.Element, layout: VariableLayout) -> None:
    _under(root, "DefaultExperiment", startTime="0.0", stepSize=_number(10 * layout.step))


def _structure(layout: VariableLayout) -> Iterable[tuple[str, FmiVariable, list[int], list[int]]]:
    """(kind, variable, references it depends on, those among them that start it), in order."""
    parameters = {
        v.reference for v in (*layout.held, *layout.parameters) if v.causality == "parameter"
    }

    def row(
        kind: str, variable: FmiVariable, place: int
    ) -> tuple[str, FmiVariable, list[int], list[int]]:
        every = layout.depends(place)
        return kind, variable, [k for k in every if k not in parameters], every

    for state in layout.states:
        yield "Output", state, [state.reference], []
    for k, output in enumerate(layout.outputs):
        kind = "Output" if output.causality == "output" else "Indicator"
        yield row(kind, output, layout.nx + k)
    for k, rate in enumerate(layout.rates):
        yield row("Derivative", rate, k)


# -- 2.0 -----------------------------------------------------------------------------------------


def _describe2(layout: VariableLayout, named: Named) -> dict[str, str]:
    root = _root("2.0", layout, named, guid=named.token)
    root.set("numberOfEventIndicators", str(layout.system.switches))
    able = {
        "modelIdentifier": named.identifier,
        "canNotUseMemoryManagementFunctions": "true",
        "canGetAndSetFMUstate": "true",
        "canSerializeFMUstate": "true",
        "providesDirectionalDerivative": "true",
    }
    stepping = {"canHandleVariableCommunicationStepSize": "true"}
    kinds: list[tuple[str, dict[str, str]]] = [("ModelExchange", {}), ("CoSimulation", stepping)]
    for tag, more in kinds[1:] if layout.steps_only else kinds:
        files = _under(_under(root, tag, **able, **more), "SourceFiles")
        for name in named.sources:
            _under(files, "File", name=name)
    _units(root, layout)
    _log_categories(root)
    _experiment(root, layout)
    variables = _under(root, "ModelVariables")
    for v in layout.all:
        scalar = _under(
            variables,
            "ScalarVariable",
            name=v.name,
            valueReference=v.reference,
            description=_text(v.description),
            causality=v.causality,
            variability=v.variability,
            initial=v.initial,
        )
        derivative = None if v.derivative is None else v.derivative + 1
        start = None if v.start is None else _number(v.start)
        _under(scalar, "Real", unit=v.units, derivative=derivative, start=start)
    _structure2(root, layout)
    return {"modelDescription.xml": _written(root)}


def _structure2(root: Xml.Element, layout: VariableLayout) -> None:
    """Indices count variables from 1, which are written in the order of their references."""
    structure = _under(root, "ModelStructure")
    rows = list(_structure(layout))

    def group(tag: str, chosen: Sequence[tuple[FmiVariable, list[int]]]) -> None:
        if chosen:
            parent = _under(structure, tag)
            for variable, depends in sorted(chosen, key=lambda row: row[0].reference):
                unknown = _under(parent, "Unknown", index=variable.reference + 1)
                unknown.set("dependencies", " ".join(str(k + 1) for k in depends))

    group("Outputs", [(v, depends) for kind, v, depends, _ in rows if kind == "Output"])
    group("Derivatives", [(v, depends) for kind, v, depends, _ in rows if kind == "Derivative"])
    group("InitialUnknowns", _initial(rows))


def _initial(
    rows: Sequence[tuple[str, FmiVariable, list[int], list[int]]],
) -> list[tuple[FmiVariable, list[int]]]:
    return [
        (v, every)
        for kind, v, _, every in rows
        if v.initial == "calculated" and kind != "Indicator"
    ]


# -- 3.0 -----------------------------------------------------------------------------------------


def _describe3(layout: VariableLayout, named: Named) -> dict[str, str]:
    root = _root("3.0", layout, named, instantiationToken=named.token)
    able = {
        "modelIdentifier": named.identifier,
        "canGetAndSetFMUState": "true",
        "canSerializeFMUState": "true",
        "providesDirectionalDerivatives": "true",
        "providesAdjointDerivatives": "true",
    }
    if not layout.steps_only:
        _under(root, "ModelExchange", **able)
    _under(root, "CoSimulation", **able, canHandleVariableCommunicationStepSize="true")
    _units(root, layout)
    _log_categories(root)
    _experiment(root, layout)
    variables = _under(root, "ModelVariables")
    for v in layout.all:
        _under(
            variables,
            "Float64",
            name=v.name,
            valueReference=v.reference,
            description=_text(v.description),
            causality=v.causality,
            variability=v.variability,
            initial=v.initial,
            unit=v.units,
            derivative=v.derivative,
            start=None if v.start is None else _number(v.start),
        )
    structure = _under(root, "ModelStructure")
    rows = list(_structure(layout))

    def group(tag: str, chosen: Sequence[tuple[FmiVariable, list[int]]]) -> None:
        for variable, depends in chosen:
            unknown = _under(structure, tag, valueReference=variable.reference)
            unknown.set("dependencies", " ".join(map(str, depends)))

    group("Output", [(v, d) for kind, v, d, _ in rows if kind == "Output"])
    derivatives = [(v, d) for kind, v, d, _ in rows if kind == "Derivative"]
    group("ContinuousStateDerivative", derivatives)
    group("InitialUnknown", _initial(rows))
    group("EventIndicator", [(v, d) for kind, v, d, _ in rows if kind == "Indicator"])
    return {
        "modelDescription.xml": _written(root),
        "sources/buildDescription.xml": _build_description(named),
        "terminalsAndIcons/terminalsAndIcons.xml": _terminals(layout),
    }


def _build_description(named: Named) -> str:
    root = Xml.Element("fmiBuildDescription", {"fmiVersion": "3.0"})
    configuration = _under(root, "BuildConfiguration", modelIdentifier=named.identifier)
    files = _under(configuration, "SourceFileSet", language="C99")
    for name in named.sources:
        _under(files, "SourceFile", name=name)
    return _written(root)


def _terminals(layout: VariableLayout) -> str:
    """One terminal a speed that a force works on: the force goes in, coordinate and speed come
    out, as far as they bear one name."""
    root = Xml.Element("fmiTerminalsAndIcons", {"fmiVersion": "3.0"})
    picture = _under(root, "GraphicalRepresentation")
    corners = {"x1": -100, "y1": -100, "x2": 100, "y2": 100}
    _under(picture, "CoordinateSystem", **corners, suggestedScalingFactorTo_mm=0.1)
    _under(picture, "Icon", **corners)
    terminals = _under(root, "Terminals")
    by_name: dict[str, list[tuple[str, str, FmiVariable]]] = {}
    pairs = [*zip(layout.system.states, layout.states, strict=True)]
    pairs += zip(layout.system.held, layout.held, strict=True)
    members = {"q": "position", "u": "speed", "tau": "force"}
    for entry, variable in pairs:
        if entry.array in members:
            kind = "input" if entry.array == "tau" else "output"
            by_name.setdefault(entry.name, []).append((members[entry.array], kind, variable))
    for name, found in by_name.items():
        if any(member == "force" for member, _, _ in found):
            terminal = _under(
                terminals,
                "Terminal",
                name=_text(name),
                matchingRule="bus",
                terminalKind="eomc.speed",
                description="a generalized speed and its force",
            )
            for member, kind, variable in found:
                _under(
                    terminal,
                    "TerminalMemberVariable",
                    variableName=variable.name,
                    memberName=member,
                    variableKind=kind,
                )
    if not len(terminals):
        root.remove(terminals)
    return _written(root)


FMI2 = Version(
    "2",
    ("fmi2TypesPlatform.h", "fmi2FunctionTypes.h", "fmi2Functions.h"),
    "fmi2.c",
    "fmi2CallbackLogger",
    False,
    "model.png",
    _describe2,
)
FMI3 = Version(
    "3",
    ("fmi3PlatformTypes.h", "fmi3FunctionTypes.h", "fmi3Functions.h"),
    "fmi3.c",
    "fmi3LogMessageCallback",
    True,
    "terminalsAndIcons/icon.png",
    _describe3,
)
VERSIONS = {version.name: version for version in (FMI2, FMI3)}
