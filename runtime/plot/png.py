"""Pictures as bytes, the same at any time."""

from __future__ import annotations

from io import BytesIO
from typing import Any


def png(figure: Any, dpi: float = 110.0) -> bytes:
    """A matplotlib figure as PNG, with nothing in the file but the picture."""
    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=dpi, metadata={"Software": None})
    return stream.getvalue()
