"""Reports: one page that tells what a model is, and what came out of it."""

from eomc.runtime.report.document import Document, Section

__all__ = ["Document", "Section"]
