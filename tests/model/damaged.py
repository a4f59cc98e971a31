"""Model files that lost or gained something on their way."""

from __future__ import annotations

import random

_TEXTS = ("-1", "0", "nan", "inf", "1e400", "x", "", "world", "1 2", "${m}", "<!--", "99999999999")


def damaged(text: str, draw: random.Random) -> str:
    """`text` with a few of its pieces cut, doubled, exchanged or replaced."""
    for _ in range(draw.randint(1, 3)):
        first = draw.randrange(len(text))
        last = min(len(text), first + draw.choice((1, 2, 5, 20, 80)))
        piece = draw.choice(("", text[first:last] * 2, draw.choice(_TEXTS)))
        if draw.random() < 0.5:  # a value of an attribute or of a cell
            marks = [k for k, letter in enumerate(text) if letter in '"<>,']
            begin = draw.randrange(len(marks) - 1) if len(marks) > 1 else 0
            if len(marks) > 1:
                first, last = marks[begin] + 1, marks[begin + 1]
        text = text[:first] + piece + text[last:]
        if not text:
            return " "
    return text
