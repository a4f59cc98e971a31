"""Compiled functions in PyTorch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc_published.autodiff.subjects import arguments, compiled, package, without
from eomc_published.case import Case, CaseCheck, agrees, holds

_MODELS = ("double_pendulum", "top")


def case_37() -> Iterator[CaseCheck]:
    torch = package("torch")
    for name in _MODELS:
        model = compiled(name)
        f, x = model.torch("forward_dynamics"), arguments(name, "forward_dynamics")
        given = [torch.tensor(a, requires_grad=True) for a in x]
        own = model.forward_dynamics(*x)
        yield agrees(f"{name}: value", own, f(*given).detach().numpy(), 1e-14, relative=True)
        for check in ("gradcheck", "gradgradcheck"):
            passed = bool(getattr(torch.autograd, check)(f, given))
            yield holds(f"{name}: torch.autograd.{check}", "passes", str(passed), passed)
        emitted = model.forward_dynamics_derivatives(*x)[1]
        for mode in (torch.func.jacfwd, torch.func.jacrev):
            got = mode(f, 1)(*given).detach().numpy()
            yield agrees(f"{name}: {mode.__name__}", emitted, got, 1e-12, relative=True)
        u = x[1] + 0.1 * np.arange(5)[:, None]
        batch = model.forward_dynamics(x[0], u, *x[2:])
        over = (None, 0, *[None] * (len(x) - 2))
        mapped = torch.vmap(f, over)(given[0], torch.tensor(u), *given[2:]).detach().numpy()
        yield agrees(f"{name}: vmap", batch, mapped, 1e-14, relative=True)


CASES = (
    Case(
        37,
        "compiled functions in PyTorch",
        "PyTorch's documentation, torch.autograd",
        "gradients of two orders by PyTorch's own checks, both modes against emitted derivatives, "
        "vmap",
        case_37,
        unavailable=without("torch", "PyTorch"),
    ),
)
