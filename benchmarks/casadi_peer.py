"""CasADi: hand-written recursions flattened to C and compiled with the same flags."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from benchmarks.compiling import FLAGS, PLAIN_FLAGS, c_function, compile_shared, copies
from benchmarks.contender import Contender, Unavailable
from benchmarks.mechanism import Mechanism

# Derivatives of long chains grow to hundreds of thousands of statements: beyond, gcc is asked for
# less, and still takes minutes.
_LARGEST_OPTIMIZED = 50_000


def casadi(mechanism: Mechanism, function: str, folder: Path) -> list[Contender]:
    """The function with the fewest instructions of those that give it, with both sets of flags.

    Raises Unavailable if CasADi is not there.
    """
    try:
        import casadi as ca
    except ImportError:
        raise Unavailable("install the package casadi") from None
    start = time.perf_counter()
    if function == "inverse_dynamics_second_derivatives":
        raise Unavailable("no recursion is written for them")
    stepped = function == "rk4_step"
    made = hand_written(mechanism, "forward_dynamics" if stepped else function)
    derived = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    generator = ca.CodeGenerator("peer.c", {"with_header": False})
    generator.add(made)
    generator.generate(f"{folder}/")
    emitted = time.perf_counter()
    (folder / "rk4.h").write_text(Path(__file__).with_name("rk4.h").read_text())
    (folder / "call.c").write_text(_call(made, mechanism.size if stepped else 0))
    count = None if stepped else operations(made)
    contenders = []
    ways = {"CasADi": FLAGS, "CasADi, plain flags": PLAIN_FLAGS}
    if made.n_instructions() > _LARGEST_OPTIMIZED:
        ways = {"CasADi, gcc -O1": (*PLAIN_FLAGS, "-O1")}
    for name, flags in ways.items():
        library, seconds, code = compile_shared(folder, ["call.c", "peer.c"], flags)
        # A library of its own each, so that the second does not replace the first.
        own = library.rename(folder / f"{name.replace(', ', '_').replace(' ', '_')}.so")
        contenders.append(
            Contender(
                name,
                c_function(own, "call"),
                derived - start,
                emitted - derived,
                seconds,
                count,
                code,
                copies=[c_function(copy, "call") for copy in copies(own)],
            )
        )
    return contenders


def hand_written(mechanism: Mechanism, function: str) -> Any:
    """CasADi's function of q, u and the third argument, by whichever recursion is shortest."""
    import casadi as ca

    from benchmarks.casadi_recursion import Recursion

    recursion = Recursion(mechanism)
    third = ca.SX.sym("third", mechanism.size)
    if function == "mass_matrix":
        return _made([recursion.q], [recursion.mass_matrix()])
    arguments = [recursion.q, recursion.u, third]
    if function == "inverse_dynamics":
        return _made(arguments, [recursion.inverse_dynamics(third)])
    forward = [
        _made(arguments, [make(third)])
        for make in (recursion.by_factor, recursion.by_articulated_bodies)
    ]
    best = min(forward, key=operations)
    if function == "forward_dynamics":
        return best
    # da/dx = -M^-1 dtau/dx at the accelerations of forward dynamics.
    tau = recursion.inverse_dynamics(third)
    slopes = ca.horzcat(ca.jacobian(tau, recursion.q), ca.jacobian(tau, recursion.u))
    at = ca.Function("slopes", arguments, [slopes])(recursion.q, recursion.u, best(*arguments))
    n = mechanism.size
    solved = recursion.factored(ca.horzcat(-ca.densify(at), ca.SX.eye(n)))
    return _made(arguments, [solved[:, :n], solved[:, n : 2 * n], solved[:, 2 * n :]])


def _made(arguments: list[Any], results: list[Any]) -> Any:
    """Common subexpressions merged; results dense and, for C, row-major."""
    import casadi as ca

    dense = [ca.densify(result).T for result in results]
    return ca.Function("peer", arguments, dense, {"cse": True})


def operations(function: Any) -> int:
    """Additions, subtractions, multiplications and divisions; squares and doublings are such."""
    import casadi as ca

    counted = {ca.OP_ADD, ca.OP_SUB, ca.OP_MUL, ca.OP_DIV, ca.OP_SQ, ca.OP_TWICE, ca.OP_INV}
    return sum(function.instruction_id(k) in counted for k in range(function.n_instructions()))


def _call(function: Any, stepped: int) -> str:
    """C text of the call, or of a Runge-Kutta step of so many joints around it."""
    inputs, outputs, place = [], [], 0
    for k in range(function.n_in()):
        inputs.append(f"x + {place}")
        place += function.nnz_in(k)
    place = 0
    for k in range(function.n_out()):
        outputs.append(f"y + {place}")
        place += function.nnz_out(k)
    name = "static void rates" if stepped else "void call"
    step = (
        '#include "rk4.h"\nvoid call(const double *x, double *y)\n'
        f"{{\n    rk4_step_of(rates, {stepped}, x, y);\n}}\n"
    )
    return (
        "int peer(const double **arg, double **res, long long *iw, double *w, int mem);\n"
        "void call(const double *x, double *y);\n"
        f"{name}(const double *x, double *y)\n{{\n"
        f"    const double *arg[{max(function.sz_arg(), 1)}] = {{{', '.join(inputs)}}};\n"
        f"    double *res[{max(function.sz_res(), 1)}] = {{{', '.join(outputs)}}};\n"
        f"    double w[{max(function.sz_w(), 1)}];\n"
        f"    long long iw[{max(function.sz_iw(), 1)}];\n"
        "    (void)peer(arg, res, iw, w, 0);\n}\n"
        f"{step if stepped else ''}"
    )
