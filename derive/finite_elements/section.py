"""Cross-section and material of a bar or beam element."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.language.errors import ModelError


@dataclass(frozen=True)
class Section:
    """Section in the local axes of an element, x along it.

    Parameters
    ----------
    area : float
        A [m^2].
    density : float
        [kg/m^3]
    E, G : float
        Young's and the shear modulus [Pa].
    Iz, Iy : float
        Second moments of area [m^4] for bending along local y and along local z.
    torsion : float
        Torsion constant [m^4].
    retardation : float
        nu [s] of structural damping: the stress is E (strain + nu strain rate), of a member's
        damping ratio nu omega / 2 at the frequency omega.

    Examples
    --------
    >>> round(Section.tube(outer=0.05, inner=0.04, density=2700, E=7e10, G=2.6e10).area, 8)
    0.00282743

    Raises
    ------
    ModelError
        For values that are not positive where they must be.
    """

    area: float
    density: float
    E: float
    Iz: float = 0.0
    Iy: float = 0.0
    G: float = 0.0
    torsion: float = 0.0
    retardation: float = 0.0

    def __post_init__(self) -> None:
        for name in ("area", "E"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ModelError(f"section: {name} is {getattr(self, name)}; give a number > 0")
        for name in ("density", "Iz", "Iy", "G", "torsion", "retardation"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ModelError(f"section: {name} is {getattr(self, name)}; give a number >= 0")

    @classmethod
    def tube(cls, outer: float, inner: float, density: float, E: float, G: float) -> Section:
        """Circular tube of the given radii [m]; a rod for inner = 0."""
        pi = 3.141592653589793
        second = pi * (outer**4 - inner**4) / 4
        area = pi * (outer**2 - inner**2)
        return cls(area, density, E, second, second, G, 2 * second)
