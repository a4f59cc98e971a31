"""Cases of the forces of a cable that unwinds in an involute joint: 9 to 12."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.tensegrity.involute import (
    AREA,
    ELASTIC,
    FREE,
    MODULUS,
    VISCOSITY,
    R,
    Variant,
    compiled,
    declared_joint,
    moving,
    number,
    states,
    symbolic,
    told,
    whole,
)


def forces(variant: Variant, form: str, q: Any, u: Any = (0, 0), mu: float = 0.0) -> Array:
    """e + d: what the cable asks, less what moves without it."""
    call, at, rates = (
        compiled(form).function("inverse_dynamics"),
        whole(variant, q),
        moving(variant, u),
    )
    pulled, free = (
        np.asarray(call(at, rates, 0 * rates, parameters=given))
        for given in ({"E": MODULUS, "mu": mu}, {"E": 1e-300, "mu": 0.0})
    )
    return np.asarray((pulled - free)[variant.places])


def outputs(
    variant: Variant, model: CompiledModel, q: Any, u: Any = (0, 0), mu: float = 0.0
) -> Any:
    """Outputs of the cable, by name."""
    given = {"E": MODULUS, "mu": mu}
    found = model.function("element_outputs")(
        whole(variant, q), moving(variant, u), parameters=given
    )
    named = zip(model.output_names("element_outputs"), found.tolist(), strict=True)
    return {name.removeprefix(f"{variant.kind}."): value for name, value in named}


def _sample() -> Iterator[CaseCheck]:
    pull = MODULUS * AREA * 0.01
    expected = {
        "involute_elongation": [0, pull],
        "involute_strain": [pull * R * 0.01, pull * FREE],
        "involute_length": [-pull * R, pull],
    }
    for variant in ELASTIC:
        cable = outputs(variant, compiled(), variant.at())
        got = [cable["length"] - cable["rest_length"], cable["length"], cable["tension"]]
        yield _each(f"{variant.kind}: u, l, F", [0.0133, 1.3433, pull], got)
        asked = forces(variant, "work", variant.at())
        yield _each(f"{variant.kind}: e", expected[variant.kind], asked)
    yield agrees("F [N]", 62.83185, pull, 5e-6)
    yield agrees(
        "e of the strain variant",
        [0.04398230, 83.56636],
        forces(ELASTIC[1], "work", ELASTIC[1].at()),
        5e-6,
    )


def _each(quantity: str, wanted: Any, got: Any) -> CaseCheck:
    """Every entry to 1e-9 of itself."""
    size = np.where(np.asarray(wanted) == 0, 1.0, wanted)
    return agrees(f"{quantity}, by what is expected", wanted / size, got / size, 1e-9)


def _virtual_work() -> Iterator[CaseCheck]:
    """S^T [0; F i] is what the cable asks, elastic and viscous."""
    for variant in ELASTIC:
        worst = 0.0
        q, axes, origin, columns = declared_joint(variant)
        longer = (axes.T * origin)[0] - symbolic("r*q1")  # x of the end along the string
        gap = [
            sympy.nsimplify(sympy.simplify(longer.diff(x) - column[0]), rational=True)
            for x, column in zip(q, columns, strict=True)
        ]
        yield holds(f"{variant.kind}: S^T [0; i] - du/dq", "[0, 0]", str(gap), gap == [0, 0])
        for at, u in states(variant):
            pull = outputs(variant, compiled(), at, u, VISCOSITY)["tension"]
            s, _ = told(variant, at, u)
            asked = forces(variant, "work", at, u, VISCOSITY)
            worst = max(worst, float(np.abs(pull * s[3] - asked).max() / np.abs(asked).max()))
        yield at_most(f"{variant.kind}: e + d", worst, 1e-12)


def _energy() -> Iterator[CaseCheck]:
    """grad U = e - A E eps^2 dl0/dq / 2, and the curl of e."""
    stiffness = MODULUS * AREA
    curls: dict[str, Callable[[float, float], float]] = {
        "involute_elongation": lambda q1, eps: stiffness * eps / q1,
        "involute_strain": lambda q1, eps: stiffness * R * eps,
        "involute_length": lambda q1, eps: stiffness * eps / q1,
    }
    for variant in ELASTIC:
        worst = curl = gradient = 0.0
        for q, _ in states(variant):
            eps = number(variant.strain, q)
            e, own = forces(variant, "work", q), forces(variant, "energy", q)
            size = float(np.abs(e).max())
            gap = own - e + stiffness * eps**2 / 2 * np.array([R, 0])
            worst = max(worst, float(np.abs(gap).max()) / size)
            gradient = max(gradient, float(np.abs(_slope(variant, q) - own).max()) / size)
            still = np.zeros(7)
            partial = np.asarray(
                compiled().function("inverse_dynamics_derivatives")(
                    whole(variant, q), still, still, parameters={"E": MODULUS, "mu": 0.0}
                )[0]
            )[np.ix_(variant.places, variant.places)]
            wanted = curls[variant.kind](q[0], eps)
            found = partial[0, 1] - partial[1, 0]
            curl = max(curl, abs(found - wanted) / float(np.abs(partial).max()))
        yield at_most(f"{variant.kind}: grad U - e", worst, 1e-12)
        yield at_most(f"{variant.kind}: grad U by differences of U", gradient, 1e-8)
        yield at_most(f"{variant.kind}: curl of e", curl, 1e-12)
        yield from _rayleigh(variant)


def _rayleigh(variant: Variant) -> Iterator[CaseCheck]:
    """d_R = d - A mu eps eps' dl0/dq, the slope of A mu l0 eps'^2/2 by the rates, of a cable that
    is declared without words; its power is twice that."""
    strain, taut = symbolic(variant.strain), symbolic(variant.taut)
    q, u = sympy.symbols("q1 q2"), sympy.symbols("u1 u2")
    rate = sum(strain.diff(x) * y for x, y in zip(q, u, strict=True))
    worst = power = 0.0
    for at, speeds in states(variant):
        damping = forces(variant, "default", at, speeds, VISCOSITY)
        damping = damping - forces(variant, "default", at, speeds)
        eps, eps_rate = number(variant.strain, at), number(str(rate), at, speeds)
        longer = np.array([number(str((taut - R * q[0]).diff(x)), at) for x in q])
        d = AREA * VISCOSITY * eps_rate * longer
        wanted = d - AREA * VISCOSITY * eps * eps_rate * np.array([R, 0])
        worst = max(worst, float(np.abs(damping - wanted).max() / np.abs(wanted).max()))
        loss = AREA * VISCOSITY * R * at[0] * eps_rate**2
        power = max(power, abs(float(damping @ speeds) / loss - 1))
    yield at_most(f"{variant.kind}: d of Rayleigh's function", worst, 1e-10)
    yield at_most(f"{variant.kind}: its power by A mu l0 eps'^2, less 1", power, 1e-9)


def _slope(variant: Variant, q: Array, h: float = 1e-3) -> Array:
    """Of the potential energy, by fourth-order differences relative to each coordinate."""

    def energy(x: Array) -> float:
        call = compiled("energy").function("potential_energy")
        return float(call(whole(variant, x), parameters={"E": MODULUS, "mu": 0.0}))

    return np.array(
        [
            (8 * (energy(q + d) - energy(q - d)) - (energy(q + 2 * d) - energy(q - 2 * d)))
            / (12 * d[k])
            for k, d in enumerate(h * np.diag(q) * [[1e-2], [1]])
        ]
    )


def _slack() -> Iterator[CaseCheck]:
    strain = ELASTIC[1]
    for variant in ELASTIC:
        q, u = variant.at(19.0, -0.01), np.array([0.3, -0.2])
        for form in ("work", "energy"):
            pull = outputs(variant, compiled(form), q, u, VISCOSITY)["tension"]
            slack = [*forces(variant, form, q, u, VISCOSITY), pull]
            yield agrees(f"{variant.kind}, slack, {form}", [0, 0, 0], slack, 0)
    width, stiffness = 1e-4, MODULUS * AREA
    model = compiled("work", width)

    def tension(eps: float, mu: float = 0.0, rate: float = 0.0) -> float:
        return float(outputs(strain, model, [19.0, eps], [0.0, rate], mu)["tension"])

    got = tension(-10 * width) / stiffness / width
    yield agrees("eps_+(-10 delta)/delta", (np.sqrt(101) - 10) / 2, got, 1e-12)
    yield agrees("the same to six places", 0.024938, got, 5e-7)
    damping = tension(-10 * width, VISCOSITY, 1.0) - tension(-10 * width)
    yield agrees("H(-10 delta)", 2.4814e-3, damping / (VISCOSITY * AREA), 5e-8)
    yield agrees("eps_+(0)/delta", 0.5, tension(0.0) / stiffness / width, 1e-12)
    spread = np.concatenate([np.linspace(-1, 1, 201), np.linspace(-0.01, 0.01, 201)]) * 0.1
    error = max(abs(tension(x) / stiffness - max(x, 0.0)) for x in spread)
    yield at_most("largest difference from the kink / (delta/2)", error / (width / 2), 1 + 1e-9)


CASES = (
    Case(
        9,
        "A cable of 1.33 m strained by 0.01",
        "3.2",
        "inverse dynamics",
        _sample,
        provenance="reconstructed",
    ),
    Case(10, "Virtual work of the tension", "3.2", "S of the compiled model", _virtual_work),
    Case(
        11,
        "What the energy has more",
        "3.2",
        "closed form, differences of U; damping by Rayleigh's function",
        _energy,
    ),
    Case(12, "A slack cable", "3.2", "closed form", _slack),
)
