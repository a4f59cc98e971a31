"""The result of a verification, as data, in a terminal and as a page."""

from eomc.verifier.report.report import Report

__all__ = ["Report"]
