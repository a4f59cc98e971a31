"""Target languages: the record of each, its spelling and its comments."""

from eomc.codegen.language.comment import comment_block, comment_lines, comment_text, contract
from eomc.codegen.language.language import FUNCTIONS, INDENT, Language
from eomc.codegen.language.target import Request, Target, functions, register

__all__ = [
    "FUNCTIONS",
    "INDENT",
    "Language",
    "Request",
    "Target",
    "comment_block",
    "comment_lines",
    "comment_text",
    "contract",
    "functions",
    "register",
]
