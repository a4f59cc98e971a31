"""Impacts: jumps of the speeds where gaps close.

With the rates gamma of the gaps before (-) and behind (+) and u+ = u- + M^-1 J^T P,

    Newton      0 <= P  perp  gamma+ + e gamma- >= 0      of all that touch, also of what rests
    Poisson     P = (1 + e) P_c + P',  P_c of e = 0,  0 <= P' perp gamma+ >= 0
    sequential  Newton's law, of the contact that closes fastest alone, until none closes

and impulses of dry friction of `friction_impulse`. What they do differs where several contacts
take part: of three balls in a row, the first hitting, the first two laws move all, the last law
moves the last ball.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ConstraintError, violation
from eomc.runtime.excitation.excitation import Excitation, MotionLaw
from eomc.runtime.impacts.complementarity import pressing
from eomc.runtime.impacts.contacts import Closings, RigidContacts, refuse_velocity_level
from eomc.runtime.impacts.friction_impulse import frictional
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, Values, initial_state
from eomc.runtime.names.near_names import near_names
from eomc.runtime.names.renamed import current_arguments

_MOST_ONE_BY_ONE = 10_000
_CLOSES = 1e-13
"""Share of the fastest rate below which a contact does not close."""


@dataclass(frozen=True, eq=False)
class Impact:
    """An impact at time t.

    Attributes
    ----------
    names : of the contacts that touch
    impulses : (k,) along the normals [N s]
    friction : (k, 3) along the surfaces, in the world
    before, after : (nu,)
        u before and after it.
    energy_before, energy_after : kinetic [J]
    slip : (k,)
        Speeds along the surfaces behind it [m/s]; rounding where friction made it stick.
    """

    t: float
    names: tuple[str, ...]
    impulses: Array
    friction: Array
    before: Array
    after: Array
    energy_before: float
    energy_after: float
    slip: Array

    def __repr__(self) -> str:
        told = ", ".join(f"{n} {p:.6g} N s" for n, p in zip(self.names, self.impulses, strict=True))
        return f"<Impact at {self.t:.9g} s: {told or 'nothing touches'}>"


@current_arguments
def impact(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    *,
    impact_law: str = "newton",
    parameters: Mapping[str, float] | None = None,
    prescribed: MotionLaw = None,
) -> Impact:
    """The impact of a state in which rigid contacts touch.

    Parameters
    ----------
    q, u : as of `eomc.simulate`
        Contacts take part whose gap is below 1e-9 of the model's length.
    impact_law : str
        "newton", "poisson" (without dry friction) or "sequential".
    parameters, prescribed : as of `eomc.simulate`

    Raises ValueError for an unknown law or arguments, AttributeError for a model without rigid
    contacts, ConstraintError for a state off its constraints, RuntimeError where friction jams.

    A ball that falls on a floor, with the restitution 0.8:

    >>> import eomc
    >>> ball = eomc.Model("ball")
    >>> ball.body("ball", mass=2)
    >>> ball.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    >>> ball.contact("floor", shape={"kind": "point", "at": "ball"},
    ...              surface={"kind": "plane", "at": "world"},
    ...              normal={"kind": "rigid", "restitution": 0.8})
    >>> eomc.runtime.impact(eomc.build(ball), [0], [-1]).after
    array([0.8])
    """
    refuse_velocity_level(model, "impact")
    excitation = Excitation(model, parameters=parameters, prescribed=prescribed)
    state = initial_state(model, q, u, None)
    contacts = RigidContacts(model, excitation)
    if contacts.constraints is not None:
        text = violation(contacts.constraints.at(0.0, state))
        if text is not None:
            raise ConstraintError(f"{text}; give a state of eomc.assemble(model, q, u)")
    return struck(contacts, 0.0, state, impact_law)


def struck(contacts: RigidContacts, t: float, state: State, law: str) -> Impact:
    """The impact of a state."""
    solve = LAWS.get(law) if isinstance(law, str) else None
    if solve is None:
        raise ValueError(f"unknown law of impact {law!r}; {near_names(str(law), LAWS)}")
    at = contacts.at(t, state)
    touching = at.touching()
    p = solve(at, touching) if touching else np.zeros((0, 3))
    after, slip = np.array(state.u), np.zeros(len(touching))
    if touching:
        rows = _rows(at, touching)
        change = at.responses(rows.T @ p.ravel())
        after = state.u + change
        behind = _rates(at, touching) + (rows @ change).reshape(-1, 3)
        slip = np.linalg.norm(behind[:, 1:], axis=1)
    along = [p[i, 1:] @ at.tangents[k] for i, k in enumerate(touching)]
    energy = [float(v @ at.mass @ v / 2) for v in (state.u, after)]
    return Impact(
        t,
        tuple(at.names[k] for k in touching),
        p[:, 0].copy(),
        np.array(along).reshape(-1, 3),
        np.array(state.u),
        after,
        energy[0],
        energy[1],
        slip,
    )


def _rows(at: Closings, chosen: Sequence[int]) -> Array:
    """Of the gap and both tangents of each contact (3k, nu)."""
    return np.vstack([row for k in chosen for row in (at.rows[k, :1], at.across(k, at.rows))])


def _rates(at: Closings, chosen: Sequence[int]) -> Array:
    """(k, 3): of the gaps and along the tangents."""
    return np.array([[at.rate[k, 0], *at.across(k, at.rate[..., None])[:, 0]] for k in chosen])


def _solved(at: Closings, chosen: Sequence[int], rates: Array, e: Array) -> Array:
    """Impulses (k, 3) for 0 <= P perp gamma+ + e gamma- >= 0 and dry friction."""
    static, kinetic = at.static[chosen], at.kinetic[chosen]
    c = rates.copy()
    c[:, 0] *= 1 + e
    found = np.zeros((len(chosen), 3))
    if not static.any():
        found[:, 0] = pressing(at.root(at.rows[chosen, 0].T), c[:, 0])
        return found
    rows = _rows(at, chosen)
    return frictional(
        rows @ at.responses(rows.T), c, static, kinetic, [at.names[k] for k in chosen]
    )


def _newton(at: Closings, chosen: Sequence[int]) -> Array:
    return _solved(at, chosen, _rates(at, chosen), at.restitution[chosen])


def _poisson(at: Closings, chosen: Sequence[int]) -> Array:
    """Compression to a stop, then its impulses e times once more."""
    if at.static[chosen].any():
        raise ValueError("Poisson's law takes contacts without dry friction; choose 'newton'")
    zero = np.zeros(len(chosen))
    compressed = _solved(at, chosen, _rates(at, chosen), zero)
    given = (1 + at.restitution[chosen])[:, None] * compressed
    rows = _rows(at, chosen)
    left = _rates(at, chosen) + (rows @ at.responses(rows.T @ given.ravel())).reshape(-1, 3)
    return given + _solved(at, chosen, left, zero)


def _sequential(at: Closings, chosen: Sequence[int]) -> Array:
    """One by one, the fastest first."""
    rates, total = _rates(at, chosen), np.zeros((len(chosen), 3))
    rows = _rows(at, chosen)
    w, fastest = rows @ at.responses(rows.T), float(np.abs(rates[:, 0]).max())
    for _ in range(_MOST_ONE_BY_ONE):
        k = int(np.argmin(rates[:, 0]))
        if rates[k, 0] >= -_CLOSES * fastest:
            return total
        own = [chosen[k]]
        p = _solved(at, own, rates[k : k + 1], at.restitution[own])[0]
        total[k] += p
        rates = rates + (w[:, 3 * k : 3 * k + 3] @ p).reshape(-1, 3)
    names = ", ".join(at.names[k] for k in chosen)
    raise RuntimeError(f"impacts one by one at {names} do not end; choose 'newton'")


LAWS: dict[str, Callable[[Closings, Sequence[int]], Array]] = {
    "newton": _newton,
    "poisson": _poisson,
    "sequential": _sequential,
}
