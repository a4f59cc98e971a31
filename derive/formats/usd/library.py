"""The packages of OpenUSD (optional dependency `eomc[usd]`)."""

from __future__ import annotations

from typing import Any

from eomc.derive.language.errors import ModelError

__all__ = ["usd_modules"]


def usd_modules() -> Any:
    """The package with its modules, UsdPhysics among them. Raises `ModelError` without it."""
    try:
        import pxr
        from pxr import Gf, Sdf, Tf, Usd, UsdGeom, UsdPhysics, UsdShade  # noqa: F401
    except ImportError as error:
        raise ModelError(
            f"OpenUSD needs the package {error.name}; install it with pip install 'eomc[usd]'"
        ) from None
    return pxr
