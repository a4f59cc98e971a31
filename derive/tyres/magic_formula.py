"""The magic formula of Pacejka, for level roads and wheels without camber.

    |F_i| = N mu_i sin(C_i atan(B_i x - E_i (B_i x - atan(B_i x)))),   B_i = k_i/(C_i mu_i)

against the slip x = alpha, or along x = kappa, with df = (N - N_0)/N_0 and

    mu_y = pdy1 + pdy2 df    E_y = pey1 + pey2 df              C_y = pcy1
    k_y  = pky1 N_0/N sin(2 atan(N/(pky2 N_0)))
    mu_x = pdx1 + pdx2 df    E_x = pex1 + pex2 df + pex3 df^2  C_x = pcx1
    k_x  = (pkx1 + pkx2 df) exp(pkx3 df)

The coefficients bear the names of tyre property files. Values are magnitudes: a file in ISO axes
has pdy1, pdy2 and pky1 with the other sign. Shifts, camber and the aligning moment are left out.
Reference: Pacejka, *Tire and Vehicle Dynamics*, 3rd ed. (2012), sec. 4.3.2, eqs. (4.E9)-(4.E28).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eomc.derive.fields.field import Number, OptionalNumber, number
from eomc.derive.fields.part import positive
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene
from eomc.derive.tyres.slip_law import SlipCurve, SlipLaw

_LONGITUDINAL = ("pcx1", "pdx1", "pkx1")
_LARGEST = 2.5
"""Largest load by nominal load."""


@kind("magic_formula")
class MagicFormula(SlipLaw):
    """The magic formula by load and slip, with the coefficients of a tyre property file."""

    nominal_load: Number = number("N", "N_0 (fnomin)")
    pcy1: Number = number("", "lateral shape factor")
    pdy1: Number = number("", "lateral friction at the nominal load")
    pky1: Number = number("1/rad", "largest cornering stiffness by nominal load")
    pky2: Number = number("", "load of the largest cornering stiffness by nominal load")
    pdy2: Number = number("", "change of lateral friction with load", default=0)
    pey1: Number = number("", "lateral curvature at the nominal load", default=0)
    pey2: Number = number("", "change of lateral curvature with load", default=0)
    pcx1: OptionalNumber = number("", "longitudinal shape factor", default=None)
    pdx1: OptionalNumber = number("", "longitudinal friction at the nominal load", default=None)
    pkx1: OptionalNumber = number("", "longitudinal slip stiffness by load", default=None)
    pdx2: Number = number("", "change of longitudinal friction with load", default=0)
    pex1: Number = number("", "longitudinal curvature at the nominal load", default=0)
    pex2: Number = number("", "change of longitudinal curvature with load", default=0)
    pex3: Number = number("", "its change with load squared", default=0)
    pkx2: Number = number("", "change of longitudinal slip stiffness with load", default=0)
    pkx3: Number = number("", "exponent of longitudinal slip stiffness with load", default=0)
    largest_load: OptionalNumber = number(
        "N", "up to which the data hold (fzmax), 2.5 N_0 if left out", default=None
    )

    @property
    def is_longitudinal(self) -> bool:
        """With pcx1, pdx1 and pkx1."""
        return self.pcx1 is not None

    def across(self, scene: Scene, load: Expression) -> SlipCurve:
        """k_y by sin(2 atan x) = 2 x/(1 + x^2), finite at N = 0; mu_y and the curve."""
        pcy1, pdy1, pdy2, pey1, pey2, pky1, pky2 = map(
            scene.scalar,
            (self.pcy1, self.pdy1, self.pdy2, self.pey1, self.pey2, self.pky1, self.pky2),
        )
        df, x = self._surplus(scene, load), load / (pky2 * scene.scalar(self.nominal_load))
        stiffness = 2 * pky1 / pky2 / (1 + x * x)
        return SlipCurve(stiffness, pdy1 + pdy2 * df, _curve(pcy1, pey1 + pey2 * df))

    def along(self, scene: Scene, load: Expression) -> SlipCurve:
        """k_x, mu_x and the curve."""
        pcx1, pdx1, pkx1, pdx2, pex1, pex2, pex3, pkx2, pkx3 = map(
            scene.scalar,
            (
                *(self.pcx1, self.pdx1, self.pkx1, self.pdx2),
                *(self.pex1, self.pex2, self.pex3, self.pkx2, self.pkx3),
            ),
        )
        df = self._surplus(scene, load)
        stiffness = (pkx1 + pkx2 * df) * (pkx3 * df).unary("exp")
        curvature = pex1 + (pex2 + pex3 * df) * df
        return SlipCurve(stiffness, pdx1 + pdx2 * df, _curve(pcx1, curvature))

    def _surplus(self, scene: Scene, load: Expression) -> Expression:
        """df, constant beyond the largest load."""
        nominal = scene.scalar(self.nominal_load)
        largest = (
            _LARGEST * nominal if self.largest_load is None else scene.scalar(self.largest_load)
        )
        return load.binary("min", largest) / nominal - 1

    def check(self, values: Mapping[str, float]) -> None:
        """Magnitudes, all three of the longitudinal ones or none, forces against the slip."""
        given = [word for word in _LONGITUDINAL if getattr(self, word) is not None]
        if given and len(given) < len(_LONGITUDINAL):
            missing = ", ".join(word for word in _LONGITUDINAL if word not in given)
            raise ModelError(f"{given[0]} is given without {missing}; give all of them or none")
        for word in ("nominal_load", "pcy1", "pdy1", "pky1", "pky2", *given):
            positive(getattr(self, word), word, values)
        largest = _LARGEST if self.largest_load is None else value_of(self.largest_load, values)
        if self.largest_load is not None:
            largest /= value_of(self.nominal_load, values)
        for word in ("pcy1", *given[:1]):
            if value_of(getattr(self, word), values) > 2:
                raise ModelError(f"{word} is {getattr(self, word)}; a shape factor is at most 2")
        lines = [("pdy1", "pdy2"), ("pdx1", "pdx2"), ("pkx1", "pkx2")]
        for first, second in lines[: 3 if given else 1]:
            at, slope = (value_of(getattr(self, word), values) for word in (first, second))
            if min(at - slope, at + slope * (largest - 1)) <= 0:
                raise ModelError(
                    f"{first} + {second} df is negative between no load and the largest load "
                    f"({largest:g} nominal loads)"
                )


def _curve(shape: Expression, curvature: Expression) -> Callable[[Expression], Expression]:
    """f(s) = sin(C atan(y - E (y - atan y))), y = s/C, E <= 1 so that it has no other zero."""
    bent = curvature.binary("min", shape * 0 + 1)

    def curve(s: Expression) -> Expression:
        y = s / shape
        return (shape * (y - bent * (y - y.unary("atan"))).unary("atan")).sin()

    return curve
