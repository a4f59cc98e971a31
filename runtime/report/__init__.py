"""Reports: one page that tells what a model is, and what came out of it."""

from eomc.runtime.report.document import ReportDocument, ReportSection

__all__ = ["ReportDocument", "ReportSection"]
