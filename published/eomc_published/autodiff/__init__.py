"""Derivatives as products, and compiled functions in packages that differentiate.

The cases are numbered as in the project's list of them. CasADi, JAX and PyTorch call the functions;
differences, complex steps and the packages' own checks are the witnesses.
"""

from __future__ import annotations

from eomc_published.autodiff import in_casadi, in_jax, in_torch, products
from eomc_published.work import PublishedWork

_FILES = (in_casadi, in_jax, products, in_torch)

REFERENCE = PublishedWork(
    name="autodiff",
    title="Derivatives in products, and in CasADi, JAX and PyTorch",
    citation="Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008",
    cases=tuple(case for file in _FILES for case in file.CASES),
    figures=(),
)
