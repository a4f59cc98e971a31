"""The live page: a compiled model in one HTML file, which integrates and shows it."""

from eomc.runtime.page.live_model import LiveModel
from eomc.runtime.page.page import Page, page

__all__ = ["LiveModel", "Page", "page"]
