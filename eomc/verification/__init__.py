"""Is a model right, from its declaration to its machine code? `verify` and its report."""

from eomc.verification.report import Report
from eomc.verification.procedure import verify

__all__ = ["Report", "verify"]
