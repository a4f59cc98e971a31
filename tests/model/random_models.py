"""Hypothesis strategies: expressions of the grammar, models with every element and joint kind."""

from __future__ import annotations

from typing import Any

import sympy
from hypothesis import reject
from hypothesis import strategies as st

from eomc.derive.model import Model, Placement, Point, joint_kind

MOVING = (
    *("revolute", "prismatic", "screw", "cylindrical", "planar", "universal"),
    *("translational", "spherical", "spherical_euler", "floating", "floating_euler"),
)
AXES = ((1, 0, 0), (0, -1, 0), (0, 0, 2.0), (0.3, 0.4, -1.2), (1, 1, 0))
FUNCTIONS = (
    *(sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos, sympy.atan, sympy.exp, sympy.log),
    *(sympy.sinh, sympy.cosh, sympy.tanh, sympy.asinh, sympy.acosh, sympy.atanh),
    *(sympy.Abs, sympy.sign, sympy.sqrt, sympy.Heaviside),
)

numbers = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1e3, 1e3, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-30),
)
positive = st.one_of(st.integers(1, 50), st.floats(0.01, 50.0))


def atoms(names: list[str]) -> st.SearchStrategy[Any]:
    """Symbols, whole numbers, quotients and doubles."""
    symbols = st.sampled_from([sympy.Symbol(name) for name in names])
    exact = st.builds(sympy.Rational, st.integers(-50, 50), st.integers(1, 50))
    doubles = st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-6).map(sympy.Float)
    return st.one_of(symbols, symbols, exact, doubles, st.just(sympy.pi))


def expressions(names: list[str], size: int = 8) -> st.SearchStrategy[Any]:
    """SymPy expressions of the whole vocabulary; some of them are not real or not finite."""

    def made(build: Any, *parts: Any) -> Any:
        try:
            return build(*parts)
        except (
            TypeError,
            ValueError,
            ArithmeticError,
        ):  # SymPy compares no infinite and no complex numbers
            return sympy.nan

    def extended(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        operations = [
            *(lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b),
            *(sympy.atan2, lambda a, b: sympy.Min(a, b, evaluate=False)),
            lambda a, b: sympy.Max(a, b, evaluate=False),
        ]
        relations = [sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge]
        powers = [2, 3, -1, -2, sympy.Rational(1, 2), sympy.Rational(-2, 3), 0.5]

        def switch(relation: Any, a: Any, b: Any, c: Any) -> Any:
            condition = relation(a, b, evaluate=False)
            try:
                return sympy.Piecewise((c, condition), (a, True), evaluate=False)
            except KeyError:  # SymPy cannot rewrite a condition that holds a switch of numbers
                return reject()

        return st.one_of(
            st.builds(made, st.sampled_from(operations), parts, parts),
            st.builds(made, st.sampled_from(FUNCTIONS), parts),
            st.builds(lambda a, b: made(lambda: a**b), parts, st.sampled_from(powers)),
            st.builds(made, st.just(switch), st.sampled_from(relations), parts, parts, parts),
        )

    return st.recursive(atoms(names), extended, max_leaves=size)


@st.composite
def lengths(draw: st.DrawFn) -> Any:
    """A coordinate of a placement: a number or an expression in the parameters p0, p1."""
    return draw(
        st.one_of(numbers, st.sampled_from(["p0", "-p0/2", "2*p1", "p0*p1 + 1/3", "sqrt(2)/2"]))
    )


@st.composite
def placements(draw: st.DrawFn) -> Placement:
    xyz = draw(st.tuples(lengths(), lengths(), lengths()))
    form = draw(st.sampled_from(["none", "rpy", "quaternion", "rotation"]))
    angles = st.one_of(st.floats(-3, 3), st.sampled_from(["pi/2", "-pi/4", "p0", 0]))
    if form == "rpy":
        return Placement(xyz, rpy=draw(st.tuples(angles, angles, angles)))
    if form == "quaternion":
        w = draw(positive)
        return Placement(xyz, quaternion=(w, *draw(st.tuples(numbers, numbers, numbers))))
    if form == "rotation":
        turn = Placement(rpy=draw(st.tuples(*[st.floats(-3, 3)] * 3)))
        return Placement(xyz, rotation=turn.matrix)
    return Placement(xyz)


@st.composite
def bodies(draw: st.DrawFn) -> dict[str, Any]:
    """A body with mass whose inertia fulfils the triangle inequality: that of a box."""
    mass = draw(positive)
    a, b, c = (draw(st.floats(0.05, 1.0)) ** 2 for _ in range(3))
    inertia: Any = (mass * (b + c), mass * (a + c), mass * (a + b))
    if draw(st.booleans()):
        inertia = ("p0**2*p1 + 1", "p0**2*p1 + 1", "p0**2*p1 + 1")
        mass = draw(st.sampled_from(["p1", "p1*p0", mass]))
    return {
        "mass": mass,
        "com": draw(st.tuples(lengths(), lengths(), lengths())),
        "inertia": inertia,
        "inertia_about": "com",
    }


def _specific(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    takes = joint_kind(kind).takes
    given: dict[str, Any] = {}
    if "axis" in takes and "axis_2" not in takes:
        given["axis"] = draw(st.sampled_from(AXES))
    if "pitch" in takes:
        given["pitch"] = draw(st.sampled_from([0.01, "p0", -1]))
    if "sequence" in takes:
        given["sequence"] = draw(st.sampled_from(["zyx", "zxz", "xyz"]))
    if len(joint_kind(kind).speeds) == 1:
        given["rotor_inertia"] = draw(st.sampled_from([0, 1e-4, "p1/1000"]))
        given["gear_ratio"] = draw(st.sampled_from([1, 100, -50.5]))
        given["lower"] = draw(st.sampled_from([None, -1, float("-inf"), "-p0"]))
        given["upper"] = draw(st.sampled_from([None, 2.5, float("inf")]))
        given["effort_limit"] = draw(st.sampled_from([None, 87.0]))
    given["damping"] = draw(st.sampled_from([0, 0.1, "p0"]))
    given["friction"] = draw(st.sampled_from([0, 2]))
    return given


@st.composite
def models(draw: st.DrawFn, largest: int = 6) -> Model:
    """A valid tree of up to `largest` bodies with forces, frames, locked and mimicking joints."""
    model = Model(
        draw(st.sampled_from(["m", "two words", 'quo"ted', "名"])),
        gravity=draw(st.sampled_from([(0, 0, -9.81), (0, "-g", 0)])),
        description=draw(st.sampled_from(["", "line\nline", "tab\t\\ \"'"])),
    )
    model.parameter("p0", draw(st.floats(0.1, 2.0)), units="m", tunable=draw(st.booleans()))
    model.parameter("p1", draw(positive), description="a number")
    model.parameter("g", "981/100")
    model.input("F", units="N")
    names = ["world"]
    single: list[str] = []
    for i in range(draw(st.integers(1, largest))):
        name = draw(st.sampled_from([f"body{i}", f"body {i}", f"b-{i}.x"]))
        model.body(name, **draw(bodies()))
        kind = draw(st.sampled_from([*MOVING, *MOVING, "fixed"]))
        given = _specific(draw, kind)
        joint = draw(st.sampled_from([f"j{i}", f"joint '{i}'"]))
        options = ["free", "free", "locked"]
        if single and len(joint_kind(kind).coordinates) == 1:
            options.append("mimic")
        role = draw(st.sampled_from(options)) if kind != "fixed" else "free"
        if role == "mimic":
            given["mimic"] = {"joint": draw(st.sampled_from(single)), "multiplier": draw(positive)}
        elif role == "locked":
            values = tuple(0.5 for _ in joint_kind(kind).coordinates)
            given["locked"] = draw(st.sampled_from([True, values]))
        elif len(joint_kind(kind).coordinates) == 1:
            single.append(joint)
        given["placement"], given["child_placement"] = draw(placements()), draw(placements())
        model.joint(joint, kind, parent=draw(st.sampled_from(names)), child=name, **given)
        names.append(name)
    _forces(draw, model, names, single)
    return model


def _forces(draw: st.DrawFn, model: Model, names: list[str], single: list[str]) -> None:
    body = st.sampled_from(names)
    xyz = st.tuples(lengths(), lengths(), lengths())
    if draw(st.booleans()):
        model.spring("s1", a=Point("world", draw(xyz)), b=names[1], stiffness="p1", damping=2)
        law = "100*max(x, 0) + F*v"
        model.spring("s2", a=names[-1], b=Point("world", (0, 0, 1)), free_length="p0", law=law)
    if draw(st.booleans()):
        at = Point(draw(body), draw(xyz))
        model.force("f", at=at, direction=(0, 1, 0), magnitude="F*sin(t)")
        model.torque("tq", body=draw(body), direction=(0, "p0", 1), frame="body", magnitude=3)
        model.frame("tip", body=draw(body), placement=draw(placements()))
    if single and draw(st.booleans()):
        joint = draw(st.sampled_from(single))
        q = sympy.Symbol(joint)
        model.joint_spring("js", joint=joint, stiffness=2.5, free_angle="pi/6")
        model.potential("V", sympy.Symbol("p1") * q**2 / 2 + sympy.cos(q))
        model.generalized_force("Q", joint, -(sympy.Symbol(f"speed({joint})") ** 3))
        followed = {rule.joint for j in model.joints.values() if (rule := j.mimic)}
        if joint not in followed:
            model.prescribed(joint)
