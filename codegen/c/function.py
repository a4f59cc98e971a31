"""A function in C: on plain numbers, and on pairs before them where that is shorter."""

from dataclasses import replace

from eomc.codegen.c.language import C99
from eomc.codegen.c.pairs_body import PairWriter, paired
from eomc.codegen.c.scalar_body import ScalarWriter
from eomc.codegen.language.body import Body
from eomc.codegen.plan.interface import Entry
from eomc.codegen.plan.partition import Limits

_FEWEST_STATEMENTS = 300
_SHORTER = 0.8


def c_function(language: C99, entry: Entry, limits: Limits) -> Body:
    """Write ``entry`` within the budgets of statements."""
    writer = ScalarWriter(language, entry, limits)
    body = writer.body()
    if language.face.real.bytes != 8 or len(writer.plan.order) < _FEWEST_STATEMENTS:
        return body
    made = paired(language, entry)
    if not made.counts.statements < _SHORTER * made.counts.nodes:
        return body
    pairs = PairWriter(language, made, limits).body()
    condition = f"{language.face.macro}_PAIRS"
    apart = [(f"#if {condition}\n{text}#endif\n", count) for text, count in pairs.apart]
    apart += [(f"#if !{condition}\n{text}#endif\n", count) for text, count in body.apart]
    text = f"#if {condition}\n{pairs.text}#else\n{body.text}#endif\n"
    return replace(body, text=text, apart=tuple(apart), stack=max(body.stack, pairs.stack))
