"""Text of the model inside C comments: on one line, and unable to end the comment."""

import re
import textwrap

_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def comment_text(text: str) -> str:
    """``text`` without line breaks, comment delimiters, line splices and trigraphs.

    >>> comment_text("torque */ of\\nthe hinge")
    'torque * / of the hinge'
    """
    text = _CONTROL.sub(" ", text).replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
    return text.rstrip("\\ ")


def comment_block(lines: list[str]) -> str:
    """A block comment, long lines wrapped with a hanging indent."""
    return "/*\n" + "".join([f" * {line}".rstrip() + "\n" for line in _wrapped(lines)]) + " */\n"


def comment_lines(lines: list[str], mark: str) -> str:
    """The same in languages whose comments begin with a mark and end with the line."""
    return "".join([f"{mark} {line}".rstrip() + "\n" for line in _wrapped(lines)])


def _wrapped(lines: list[str]) -> list[str]:
    wrapped: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        wrapped += textwrap.wrap(
            comment_text(line),
            94,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        ) or [""]
    return wrapped
