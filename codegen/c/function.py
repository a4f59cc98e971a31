"""A function in C: on plain numbers, and on pairs before them where that is shorter."""

from dataclasses import replace

from eomc.codegen.c.language import C99
from eomc.codegen.c.pairs_body import PairWriter, paired
from eomc.codegen.c.scalar_body import ScalarWriter
from eomc.codegen.language.body import Body
from eomc.codegen.plan.cost import Form, estimate, longest_path
from eomc.codegen.plan.interface import Entry
from eomc.codegen.plan.partition import Limits

_FEWEST_OPERATIONS = 300
_SHORTER = 0.8


def c_function(language: C99, entry: Entry, limits: Limits) -> Body:
    """Write ``entry`` within the budgets of statements."""
    writer = ScalarWriter(language, entry, limits)
    body = writer.body()
    nodes = entry.function.nodes
    angles = len(writer.angles.places) if writer.angles else 0
    stores = sum(len(port.argument.entries) for port in entry.outputs)
    path = longest_path(writer.graph, nodes)
    operations = sum(body.operations.values()) - 2 * angles
    plain = estimate(operations, stores, angles, path)
    if language.face.real.bytes != 8 or operations < _FEWEST_OPERATIONS or not angles:
        why = "few operations or angles, or single precision"
        return replace(body, form=Form("plain", why, plain))
    made = paired(language, entry)
    paired_operations = made.counts.statements - 2 * angles
    pairs = estimate(paired_operations, stores, angles, path)
    told = f"{paired_operations} operations on pairs of like limbs instead of {operations}"
    if not pairs.instructions < _SHORTER * plain.instructions:
        return replace(body, form=Form("plain", f"{told} do not pay", plain))
    second = PairWriter(language, made, limits).body()
    return replace(_either(language, second, body), form=Form("pairs", told, pairs))


def _either(language: C99, pairs: Body, plain: Body) -> Body:
    """One text where compilers know vectors, the other one elsewhere."""
    condition = f"{language.face.macro}_PAIRS"
    apart = [(f"#if {condition}\n{text}#endif\n", count) for text, count in pairs.apart]
    apart += [(f"#if !{condition}\n{text}#endif\n", count) for text, count in plain.apart]
    text = f"#if {condition}\n{pairs.text}#else\n{plain.text}#endif\n"
    return replace(plain, text=text, apart=tuple(apart), stack=max(plain.stack, pairs.stack))
