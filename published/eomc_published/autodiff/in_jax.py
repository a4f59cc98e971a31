"""Functions in JAX: foreign calls of compiled code, and ``jax.numpy`` alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from eomc_published.autodiff.subjects import (
    Array,
    arguments,
    compiled,
    equations,
    package,
    parameters,
    without,
)
from eomc_published.case import Case, CaseCheck, agrees, holds

_MISSING = without("jax", "JAX")
_SOURCE = "JAX's documentation, jax.ffi and custom derivative rules"
_MODELS = ("double_pendulum", "top")


def case_25() -> Iterator[CaseCheck]:
    jax = package("jax")
    for name in _MODELS:
        model = compiled(name)
        f, x = model.jax("forward_dynamics"), arguments(name, "forward_dynamics")
        own = model.forward_dynamics(*x)
        yield agrees(f"{name}: value", own, np.array(f(*x)), 1e-14, relative=True)
        yield agrees(f"{name}: jit", own, np.array(jax.jit(f)(*x)), 1e-14, relative=True)
        q = x[0] + np.zeros((3, 2, 1))
        u = x[1] + 0.1 * np.arange(3)[:, None]
        twice = jax.vmap(jax.vmap(f, (0, *[None] * (len(x) - 1))), (0, 0, *[None] * (len(x) - 2)))
        batch = model.forward_dynamics(q, u[:, None], *x[2:])
        got = np.array(jax.jit(twice)(q, u, *x[2:]))
        yield agrees(f"{name}: vmap over two axes", batch, got, 1e-14, relative=True)
        by_u = [np.array(mode(f, 1)(*x)) for mode in (jax.jacfwd, jax.jacrev)]
        emitted = model.forward_dynamics_derivatives(*x)[1]
        yield agrees(f"{name}: forward mode", emitted, by_u[0], 1e-13, relative=True)
        yield agrees(f"{name}: reverse mode", by_u[0], by_u[1], 0.0)

        def total(u: Any, f: Any = f, x: list[Array] = x) -> Any:
            return f(x[0], u, *x[2:]).sum()

        ones = np.ones(model.nu)
        size = model.nu
        H = model.forward_dynamics_hessian(*x, ones)[size : 2 * size, size : 2 * size]
        found = np.array(jax.hessian(total)(x[1]))
        yield agrees(f"{name}: second derivatives", H, found, 1e-11, relative=True)
        gradient = np.array(jax.grad(total)(x[1]))
        yield agrees(f"{name}: grad", emitted.sum(axis=0), gradient, 1e-12, relative=True)
    refused = _refusal(lambda: jax.jacfwd(jax.hessian(total))(x[1]))
    told = "third derivatives" in refused
    yield holds("third derivatives", "refused by name", refused[:60], told)
    with jax.enable_x64(False):
        refused = _refusal(lambda: compiled("double_pendulum").jax("forward_dynamics"))
    yield holds("single precision", "refused", refused[:60], "jax_enable_x64" in refused)


def _refusal(run: Callable[[], Any]) -> str:
    try:
        run()
    except (NotImplementedError, RuntimeError) as error:
        return str(error)
    return "accepted"


def case_26() -> Iterator[CaseCheck]:
    jax = package("jax")
    for name in _MODELS:
        x = arguments(name, "forward_dynamics")
        given = [*x, *parameters(name)]
        pure = equations(name).function("forward_dynamics").to_jax()
        own = compiled(name).forward_dynamics(*x)
        with jax.disable_jit():
            direct = np.array(pure(*given))
        yield agrees(f"{name}: value", own, direct, 1e-12, relative=True)
    x = arguments("double_pendulum", "forward_dynamics")
    pure = equations("double_pendulum").function("forward_dynamics").to_jax()
    q = x[0] + 0.1 * np.arange(5)[:, None]
    batch = np.array(jax.jit(jax.vmap(pure, (0, None, None)))(q, x[1], x[2]))
    own = compiled("double_pendulum").forward_dynamics(q, x[1], x[2])
    yield agrees("jit and vmap", own, batch, 1e-12, relative=True)
    by_q = np.array(jax.jit(jax.jacfwd(pure))(*x))
    emitted = compiled("double_pendulum").forward_dynamics_derivatives(*x)[0]
    yield agrees("forward mode", emitted, by_q, 1e-12, relative=True)


CASES = (
    Case(
        25,
        "compiled functions in JAX",
        _SOURCE,
        "jit, vmap over two axes, grad, forward and reverse mode, second derivatives against those "
        "emitted; third ones and single precision refused",
        case_25,
        unavailable=_MISSING,
        slow=True,
    ),
    Case(
        26,
        "functions in jax.numpy alone",
        _SOURCE,
        "values and derivatives against compiled code",
        case_26,
        unavailable=_MISSING,
        slow=True,
    ),
)
