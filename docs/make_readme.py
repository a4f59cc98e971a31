"""Makes what the README shows: the model, its equations, its C code, a run of it, and numbers;
and the numbers that other pages take from the benchmarks.

    python docs/make_readme.py            # write the pages and docs/cart_pole.png anew
    python docs/make_readme.py --check    # exit code 1 if a page is not current

A block stands between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``; `PAGES` makes each from a
real run. The picture is drawn anew but not compared: its bytes depend on the version of matplotlib.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import sympy

sys.path.insert(0, str(Path(__file__).parent))

import reference_tables
from benchmark_tables import (
    blocks_block,
    chain_block,
    collocation_block,
    derivative_growth_block,
    flexible_units_block,
    forms_block,
    free_flyer_block,
    jax_block,
    loops_block,
    masts_block,
    pace_block,
    piece_block,
    python_block,
    scale_block,
    studies_block,
    targets_block,
    trom_block,
    tunable_block,
    waiting_block,
)
from product_tables import products_block

import eomc
from eomc.codegen import emit

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
EXAMPLE = ROOT / "examples" / "cart_pole.py"
PICTURE = ROOT / "docs" / "cart_pole.png"
BENCHMARKS = ROOT / "benchmarks" / "recorded" / "benchmarks.json"
DOCS = ROOT / "docs"
PUBLISHED = ROOT / "published" / "docs"
SHOWN = ("Panda, 7 joints", "G1, 29 joints", "spatial pendulum, 30 links")
PANDA = ROOT / "examples" / "models" / "panda.toml"


def example() -> eomc.Model:
    """The model that the README shows, declared by running the file that it shows."""
    model: eomc.Model = runpy.run_path(str(EXAMPLE))["model"]
    return model


def fenced(language: str, text: str) -> str:
    """A code block."""
    return f"```{language}\n{text.strip()}\n```"


def model_block() -> str:
    """The declaration, as it stands in the examples."""
    return fenced("python", EXAMPLE.read_text(encoding="utf-8"))


def equations_block() -> str:
    """Mass matrix and bias, simplified by SymPy."""
    equations = eomc.equations(example())
    theta, theta_rate = sympy.symbols("theta u_theta")
    names = {theta: sympy.Symbol("theta"), theta_rate: sympy.Symbol(r"\dot{\theta}")}
    mass_matrix = equations.mass_matrix.to_sympy().applyfunc(sympy.simplify)
    bias = equations.bias.to_sympy().applyfunc(sympy.simplify)
    lines = (
        r"M(q)\,\ddot q + c(q, \dot q) = \tau,\qquad q = (x,\ \theta)",
        f"M = {sympy.latex(mass_matrix.subs(names))}",
        f"c = {sympy.latex(bias.subs(names))}",
    )
    return "\n\n".join(fenced("math", line) for line in lines)


def c_block() -> str:
    """The body of forward dynamics, as emitted."""
    program = eomc.equations(example()).program(functions=["forward_dynamics"])
    source = emit(program)["cart_pole.c"]
    start = source.index("int cart_pole_forward_dynamics(")
    end = source.index("\n}\n", start) + 2
    return fenced("c", source[start:end])


def operations_block() -> str:
    """Operation counts of the Panda arm, as `eomc info` prints them."""
    counts = eomc.equations(eomc.load(PANDA)).operations
    names = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
    rows = [f"| `{name}` | {counts[name]} |" for name in names]
    return "\n".join(["| function | operations |", "| --- | ---: |", *rows])


def speed_block(models: tuple[str, ...] = SHOWN) -> str:
    """Times of a call in C on robots, as `python -m benchmarks` last recorded them."""
    recorded = json.loads(BENCHMARKS.read_text(encoding="utf-8"))["results"]
    peers = ("Pinocchio", "MuJoCo", "CasADi")
    lines = [f"| model | function | eomc, ns | {' | '.join(f'times {peer}' for peer in peers)} |"]
    lines += ["| --- | --- |" + " ---: |" * (1 + len(peers))]
    for result in recorded:
        times: dict[str, float] = {}
        for row in result["contenders"]:  # the faster of a peer's variants
            name = row["name"].split(",")[0]
            times[name] = min(row["ns"], times.get(name, row["ns"]))
        if result["model"] not in models or "eomc" not in times:
            continue
        own = times["eomc"]
        ratios = [f"{times[peer] / own:.1f}" if peer in times else "" for peer in peers]
        function = f"`{result['function']}`"
        lines.append(f"| {result['model']} | {function} | {own:.0f} | {' | '.join(ratios)} |")
    return "\n".join(lines)


PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    README: {
        "model": model_block,
        "equations": equations_block,
        "c": c_block,
        "operations": operations_block,
        "speed": lambda: speed_block(SHOWN[:1]),
    },
    DOCS / "embed.md": {"pieces": piece_block},
    DOCS / "batch.md": {"studies": studies_block},
    DOCS / "emitted-speed.md": {"blocks": blocks_block, "forms": forms_block},
    DOCS / "optimization.md": {
        "products": products_block,
        "collocation": collocation_block,
        "jax": jax_block,
    },
    DOCS / "view.md": {"pace": pace_block},
    DOCS / "benchmarks.md": {
        "targets": targets_block,
        "speed": speed_block,
        "python": python_block,
        "scale": scale_block,
        "waiting": waiting_block,
        "loops": loops_block,
        "chains": chain_block,
        "derivatives": derivative_growth_block,
        "tunable": tunable_block,
        "masts": masts_block,
    },
    PUBLISHED / "free_flyer.md": {"derivations": free_flyer_block},
    PUBLISHED / "trom.md": {"linearizations": trom_block},
    PUBLISHED / "flexible_manipulator.md": {"units": flexible_units_block},
    DOCS / "models.md": {
        "declarations": reference_tables.declarations,
        "joints": reference_tables.joints,
        "expression_functions": reference_tables.expression_functions,
    },
}


def current(page: Path, text: str) -> str:
    """The text of `page` with every block made anew."""
    for name, make in PAGES[page].items():
        pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
        block = f"\n{make()}\n\n"
        text, found = re.subn(pattern, lambda m, b=block: m[1] + b + m[2], text, flags=re.DOTALL)
        if found != 1:
            raise SystemExit(f"{page.name} holds {found} blocks {name!r}; expected one")
    return text


def draw() -> None:
    """The cart rolls and the bob swings, from a state at rest."""
    from matplotlib.figure import Figure

    cart_pole = eomc.build(example())
    run = eomc.simulate(cart_pole, q={"theta": 2.5}, t_span=6.0)
    figure = Figure(figsize=(6, 4.5), layout="constrained")
    top, bottom = figure.subplots(2, 1, sharex=True)
    run.plot(top, "q")
    run.plot(bottom, "energy")
    figure.savefig(PICTURE, dpi=100, metadata={"Software": None})


def main(arguments: list[str]) -> int:
    """Write, or with --check compare."""
    before = {page: page.read_text(encoding="utf-8") for page in PAGES}
    after = {page: current(page, text) for page, text in before.items()}
    if "--check" in arguments:
        stale = [page.name for page in PAGES if after[page] != before[page]]
        if stale or not PICTURE.is_file():
            print(
                f"{' and '.join(stale) or PICTURE.name} not current: make readme", file=sys.stderr
            )
            return 1
        return 0
    draw()
    for page, text in after.items():
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
