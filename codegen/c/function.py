"""A function in C: on plain numbers, on vectors before them, or in loops, by what they cost."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from eomc.codegen.c.duals_body import DualWriter, on_duals
from eomc.codegen.c.language import C99
from eomc.codegen.c.pairs_body import PairWriter, paired
from eomc.codegen.c.rolled import rolled_body
from eomc.codegen.c.rows_body import RowWriter, on_rows
from eomc.codegen.c.scalar_body import ScalarWriter
from eomc.codegen.c.shared import Shared, vector_condition
from eomc.codegen.language.body import FunctionText
from eomc.codegen.plan.cost import (
    CodeForm,
    CostEstimate,
    Optimize,
    estimate,
    estimate_duals,
    estimate_rows,
    longest_path,
    slabbed,
)
from eomc.codegen.plan.interface import EmittedFunction
from eomc.codegen.plan.partition import PieceLimits
from eomc.derive.graph import operation_count
from eomc.derive.graph.progress import say
from eomc.derive.graph.tuning import (
    COLUMN_WIDTHS,
    CORE,
    FEWEST_OPERATIONS,
    LARGE_LINE_BYTES,
    LONG_CODE,
    MOST_EACH,
    NARROW_SLABS,
    QUICKER,
    ROWS_AT_BEST,
    SHORTER,
    SLAB_DEPTH,
    VAST_LINE_BYTES,
    WORTH_A_LINE,
)

Writer = Callable[[C99, EmittedFunction, PieceLimits, Optimize], tuple[FunctionText, CodeForm]]


def c_function(
    language: C99,
    entry: EmittedFunction,
    limits: PieceLimits,
    shared: Shared,
    optimize: Optimize = "speed",
) -> FunctionText:
    """Write ``entry`` within the budgets of statements; of loops, what they share, to ``shared``.

    Loops are taken where `entry` has them; for size where they are shorter than straight lines. For
    speed, those over blocks of columns where straight lines are long and not much quicker.
    """
    say(f"writing {entry.name} of {language.face.program.name}")
    write = _directed if language.face.program.graph.changes else _straight
    if entry.function.rolled is None:
        if entry.function.blocked and optimize == "speed" and language.face.real.bytes == 8:
            return _line_or_blocks(write, language, entry, limits, shared)
        body, form = write(language, entry, limits, optimize)
        return replace(body, form=_remarked(form))
    body, form = rolled_body(language, entry, entry.function.rolled, limits, shared)
    if optimize == "speed":
        return replace(body, form=form)
    straight, other = write(language, entry, limits, optimize)
    in_loops, in_line = (cost.bytes / 1000 for cost in (form.cost, other.cost))
    if in_loops < in_line:
        why = f"{in_loops:.1f} kB with tables instead of {in_line:.1f} kB in a line"
        return replace(body, form=replace(form, why=why))
    why = f"{other.why}; {in_line:.1f} kB instead of {in_loops:.1f} kB in loops"
    return replace(straight, form=replace(other, why=why))


def _line_or_blocks(
    write: Writer, language: C99, entry: EmittedFunction, limits: PieceLimits, shared: Shared
) -> FunctionText:
    """Loops over blocks of columns for what is long in a line, unless the line is much quicker."""
    if entry.function.is_deferred:
        _, loops = _in_rows(language, entry, limits, shared, max(entry.function.blocked))
        form = CodeForm("loops", "blocks of columns; a line is longer by estimate", loops.cost)
        return replace(_blocked(language, entry, limits, shared), form=form)
    plain = _on_numbers(language, entry)
    if plain.bytes <= LARGE_LINE_BYTES:
        body, form = write(language, entry, limits, "speed")
        return replace(body, form=form)
    widest = max(entry.function.blocked)
    _, loops = _in_rows(language, entry, limits, shared, widest)
    cost = loops.cost
    why = f"blocks of columns; {plain.bytes / 1000:.0f} kB on plain numbers in a line"
    is_vast = plain.bytes > VAST_LINE_BYTES and cost.time < plain.time
    if not is_vast and cost.time * ROWS_AT_BEST > WORTH_A_LINE * plain.time:
        straight, form = write(language, entry, limits, "speed")
        in_line = form.cost
        if in_line.bytes <= LARGE_LINE_BYTES or in_line.time * WORTH_A_LINE < cost.time:
            return replace(straight, form=_remarked(form))
        why = f"blocks of columns; {in_line.bytes / 1000:.0f} kB in a line, {in_line.time} ns"
    return replace(_blocked(language, entry, limits, shared), form=CodeForm("loops", why, cost))


def _on_numbers(language: C99, entry: EmittedFunction) -> CostEstimate:
    """A line on plain numbers."""
    graph, nodes = language.face.program.graph, entry.function.nodes
    count = operation_count(graph, nodes)
    operations = sum(count.values()) - count.get("sin", 0) - count.get("cos", 0)
    stores = sum(len(port.argument.entries) for port in entry.outputs)
    return estimate(operations, stores, count.get("sin", 0), longest_path(graph, nodes))


def _blocked(
    language: C99, entry: EmittedFunction, limits: PieceLimits, shared: Shared
) -> FunctionText:
    """Loops over blocks of columns, on the vectors that there are."""
    *on_vectors, (_, plain) = [
        (vector_condition(language.face, _bytes(language, width)), body)
        for width in entry.function.blocked
        for body, _ in [_in_rows(language, entry, limits, shared, width)]
    ]
    return _either(on_vectors, plain)


def _in_rows(
    language: C99, entry: EmittedFunction, limits: PieceLimits, shared: Shared, width: int
) -> tuple[FunctionText, CodeForm]:
    """Loops whose rows have so many numbers."""
    rolled, vector = entry.function.blocked[width], _bytes(language, width)
    return rolled_body(language, entry, rolled, limits, shared, vector)


def _bytes(language: C99, width: int) -> int:
    """Of the vectors of rows; none of single numbers."""
    return width * language.face.real.bytes if width > 1 else 0


def _remarked(form: CodeForm) -> CodeForm:
    """The form, with a word where it is not small."""
    if form.cost.bytes <= LARGE_LINE_BYTES:
        return form
    return replace(form, why=f"{form.why}; not small: {form.cost.bytes / 1000:.0f} kB in a line")


def _directed(
    language: C99, entry: EmittedFunction, limits: PieceLimits, optimize: Optimize
) -> tuple[FunctionText, CodeForm]:
    """Straight lines of what may have a direction: on duals if that is shorter."""
    body, form = _straight(language, entry, limits, optimize)
    operations = sum(body.operations.values())
    if language.face.real.bytes != 8 or operations < FEWEST_OPERATIONS:
        return body, form
    duals = on_duals(language, entry, mirrored=form.name == "pairs")
    if duals is None:
        return body, form
    is_short = optimize == "size"
    writer = DualWriter(language, duals, limits, is_short=is_short)
    angles = len(writer.angles.places) if writer.angles else 0
    stores = sum(len(port.argument.entries) for port in entry.outputs)
    cost = estimate_duals(duals.statements, stores, angles, form.cost.path)
    if not _pays(cost, form.cost, optimize):
        return body, form
    told = f"{duals.statements} operations on values with their changes instead of {operations}"
    return _either([(writer.condition, writer.body())], body), CodeForm("duals", told, cost)


def _straight(
    language: C99, entry: EmittedFunction, limits: PieceLimits, optimize: Optimize
) -> tuple[FunctionText, CodeForm]:
    """Straight lines on pairs or rows where that is shorter, else on plain numbers."""
    is_short = optimize == "size"
    writer = ScalarWriter(language, entry, limits, is_short=is_short)
    body = writer.body()
    nodes = entry.function.nodes
    angles = len(writer.angles.places) if writer.angles else 0
    stored = [node for port in entry.outputs for node in port.argument.entries]
    stores, results = len(stored), len(set(stored))
    path = longest_path(writer.graph, nodes)
    operations = sum(body.operations.values()) - 2 * angles
    plain = estimate(operations, stores, angles, path)
    if language.face.real.bytes != 8 or operations < FEWEST_OPERATIONS or not angles:
        return body, CodeForm("plain", "few operations or angles, or single precision", plain)
    needed = 1.0 if optimize == "size" else SHORTER
    made = paired(language, entry)
    paired_operations = made.counts.statements - 2 * angles
    pairs = estimate(paired_operations, stores, angles, path)
    told = f"{paired_operations} operations on pairs of like limbs instead of {operations}"
    if pairs.instructions < needed * plain.instructions:
        slab = _slab(entry, pairs, optimize)
        second = PairWriter(language, made, limits, is_short=is_short, slab=slab).body()
        guard = f"{language.face.macro}_PAIRS"
        cost = slabbed(pairs) if slab else pairs
        return _either([(guard, second)], body), CodeForm("pairs", told, cost)
    is_long = plain.instructions > LONG_CODE * CORE.decoded
    columns = [
        on_rows(language, entry, width, is_long=is_long)
        for width in (COLUMN_WIDTHS if _is_wide(entry) else ())
    ]
    costs = [estimate_rows(each.statements, stores, results, angles, path) for each in columns]
    texts = []
    for each, cost in zip(columns, costs, strict=True):
        if _pays(cost, plain, optimize):
            slab = _slab(entry, costs[0], optimize)
            if each.width < max(COLUMN_WIDTHS):
                slab *= NARROW_SLABS
            rows = RowWriter(language, each, limits, is_short=is_short, slab=slab)
            size = each.width * language.face.real.bytes
            texts.append((f"{language.face.macro}_TURN_BYTES == {size}", rows.body()))
    if not texts:
        if slab := _slab(entry, plain, optimize):
            body = ScalarWriter(language, entry, limits, slab=slab).body()
            plain = slabbed(plain)
        return body, CodeForm("plain", f"{told} do not pay", plain)
    told = f"{columns[0].statements} operations on rows of {COLUMN_WIDTHS[0]} columns"
    cost = slabbed(costs[0]) if _slab(entry, costs[0], optimize) else costs[0]
    return _either(texts, body), CodeForm("rows", f"{told} instead of {operations}", cost)


def _pays(vectors: CostEstimate, plain: CostEstimate, optimize: Optimize) -> bool:
    if optimize == "size":
        return vectors.bytes < plain.bytes
    return vectors.time < QUICKER * plain.time


def _slab(entry: EmittedFunction, cost: CostEstimate, optimize: Optimize) -> int:
    """Not 0 for matrices of many results for few operations, kept decoded: waiting is their price,
    not bytes."""
    results = sum(len(port.argument.entries) for port in entry.outputs)
    is_short = cost.instructions <= min(CORE.decoded, MOST_EACH * results)
    return SLAB_DEPTH if optimize == "speed" and _is_wide(entry) and is_short else 0


def _is_wide(entry: EmittedFunction) -> bool:
    """True if an output has columns enough for a vector."""
    shapes = [port.argument.shape for port in entry.outputs]
    return any(len(shape) > 1 and min(shape) >= min(COLUMN_WIDTHS) for shape in shapes)


def _either(forms: Sequence[tuple[str, FunctionText]], plain: FunctionText) -> FunctionText:
    """The first text whose condition holds, such as that compilers know vectors, or the plain."""
    apart: list[tuple[str, int]] = []
    text, stack = "", plain.stack
    before = ""
    for condition, body in forms:
        apart += [(f"#if {before}{condition}\n{piece}#endif\n", n) for piece, n in body.apart]
        text += f"#{'elif' if text else 'if'} {condition}\n{body.text}"
        before += f"!({condition}) && "
        stack = max(stack, body.stack)
    last = before.removesuffix(" && ")
    apart += [(f"#if {last}\n{piece}#endif\n", n) for piece, n in plain.apart]
    text = f"{text}#else\n{plain.text}#endif\n"
    return replace(plain, text=text, apart=tuple(apart), stack=stack)
