"""Is a model right, from its declaration to its machine code? `verify` and its report."""

from eomc.verification.procedure import verify
from eomc.verification.report import Report

__all__ = ["Report", "verify"]
