"""Equations that SymPy's own tests form: the tests are run, and what they construct is kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cached_property
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, dynamicsymbols, msubs

t = dynamicsymbols._t

PRODUCTS = ("J_B_xz", "ixz", "Ixz")


class _Recorder:
    """A plugin of pytest: keeps every method that a test constructs, by the test's name."""

    def __init__(self, linearized: bool) -> None:
        self.found: list[tuple[str, Any]] = []
        self._linearized = linearized

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Constructors remember what they make while the test and its fixtures run."""
        with pytest.MonkeyPatch.context() as patch:
            for kind in (KanesMethod, LagrangesMethod):
                patch.setattr(kind, "__init__", self._keeping(kind.__init__, item.name))
                if not self._linearized:
                    patch.setattr(kind, "linearize", lambda *_, **__: pytest.skip("formed"))
            yield

    def _keeping(self, construct: Any, name: str) -> Any:
        def __init__(method: Any, *given: Any, **more: Any) -> None:
            construct(method, *given, **more)
            self.found.append((name, method))

        return __init__


def formed_methods(module: str, linearized: bool = True) -> list[tuple[str, Any]]:
    """(name of the test, method) of all methods whose equations a module of SymPy's tests forms.

    Without `linearized` a test ends where it would linearize, which may take minutes.
    """
    recorder = _Recorder(linearized)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        options = ["-q", "-x", "-c", os.devnull, "-p", "no:cacheprovider", "--pyargs", module]
        pytest.main(options, plugins=[recorder])
    return [(name, method) for name, method in recorder.found if _is_formed(method)]


def _is_formed(method: Any) -> bool:
    if isinstance(method, KanesMethod):
        # SymPy makes a method without kinematics of the auxiliary speeds of another.
        formed = method._fr is not None and method._frstar is not None
        return formed and bool(len(method._k_kqdot))
    return hasattr(method, "_m_cd") and method._term1 is not None and bool(method._m_d)


class Reference:
    """SymPy's own matrices of a method in numbers: the other witness."""

    def __init__(self, method: Any, inputs: tuple[Any, ...]) -> None:
        self.method, self.inputs = method, inputs
        self.is_kane = isinstance(method, KanesMethod)
        self.q = list(method.q)
        self.u = list(method.u) if self.is_kane else [q.diff(t) for q in self.q]

    @cached_property
    def constants(self) -> dict[Any, float]:
        """A value of each constant, different ones."""
        every = [self.method.mass_matrix_full, self.method.forcing_full]
        if self.is_kane:
            every += [sp.Matrix(list(self.method.kindiffdict().values()))]
            every += [sp.Matrix(list(rows)) for rows in (self.method._f_h,) if len(rows)]
        free = set().union(*(matrix.free_symbols for matrix in every)) - {t}
        names = sorted(free, key=str)
        # Products of inertia are small beside moments.
        return {
            symbol: 0.1 if symbol.name in PRODUCTS else 0.6 + 0.07 * ((5 * k) % 11)
            for k, symbol in enumerate(names)
        }

    @cached_property
    def _compiled(self) -> Any:
        """(mass matrix, forcing) of u' and multipliers, and q', by (t, q, u, r)."""
        method, n = self.method, len(self.q)
        whole, force = method.mass_matrix_full, method.forcing_full
        rates = self.u
        if self.is_kane:
            rates = [method.kindiffdict()[q.diff(t)] for q in self.q]
            zero = dict.fromkeys(method._uaux, 0) | {v.diff(t): 0 for v in method._uaux}
            whole, force = msubs(whole, zero), msubs(force, zero)
            rates = [rate.subs(zero) for rate in rates]
            known = dict(zip([q.diff(t) for q in self.q], rates, strict=True))
            whole, force = msubs(whole, known), msubs(force, known)
        symbols = [*self.inputs, *self.u, *self.q]
        order = sorted(symbols, key=lambda s: -isinstance(s, sp.Derivative))
        dummies = {symbol: sp.Dummy() for symbol in order}
        parts = [
            msubs(sp.Matrix(part).doit(), dummies).xreplace(self.constants)
            for part in (whole[n:, n:], force[n:, :], sp.Matrix(rates))
        ]
        return sp.lambdify([t, *(dummies[s] for s in symbols)], parts, "numpy", cse=True)

    def at(self, q: Any, u: Any, r: Any = (), time: float = 0.0) -> tuple[Any, Any, Any]:
        """(mass matrix, forcing, q')"""
        whole, force, rates = self._compiled(time, *r, *u, *q)
        return np.asarray(whole, float), np.ravel(force).astype(float), np.ravel(rates)

    def rates(self, q: Any, u: Any, r: Any = ()) -> tuple[Any, Any]:
        """(q', u')"""
        whole, force, rates = self.at(q, u, r)
        return rates.astype(float), np.linalg.solve(whole, force)[: len(self.u)]
