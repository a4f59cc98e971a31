"""The Cython face of the integrators: the frames stand in ``templates/integrate*.pyx``."""

from collections.abc import Callable, Sequence

from eomc.codegen.c.integrator import Integrator, integrators
from eomc.codegen.cython.port import indented, port_rows
from eomc.codegen.interface import Interface
from eomc.codegen.template import fill

_FIXED_TYPES = "_real *, _real *, const _real *const *, _real, _real, int, int, int *"
_ADAPTIVE_TYPES = (
    "_real *, _real *, const _real *const *, const _real *, int, _real, _real, int, _AdaptiveRun *"
)


def integrator_functions(face: Interface) -> str:
    """A Python function for each integrator of the model, and what they share."""
    methods = integrators(face)
    if not methods:
        return ""
    fixed = [method for method in methods if not method.tableau.is_adaptive]
    adaptive = [method for method in methods if method.tableau.is_adaptive]
    texts = [
        fill("integrate.pyx", support=indented(_ports(face, methods[0]))),
        _functions(face, "integrate_fixed.pyx", fixed, _fixed_thunk, _FIXED_TYPES, _fixed),
        _functions(
            face, "integrate_adaptive.pyx", adaptive, _adaptive_thunk, _ADAPTIVE_TYPES, _adaptive
        ),
    ]
    return "".join(texts)


def _functions(
    face: Interface,
    template: str,
    methods: Sequence[Integrator],
    thunk: Callable[[Interface, Integrator], str],
    types: str,
    definition: Callable[[Interface, Integrator], str],
) -> str:
    """One Python function for each of the `methods`, which share a template."""
    if not methods:
        return ""
    names = [method.tableau.name for method in methods]
    return fill(
        template,
        m=face.prefix,
        support=indented("\n".join(thunk(face, method) for method in methods)),
        externs="".join(
            f'    int _run_{name} "eomc_run_{name}"({types}) noexcept nogil\n' for name in names
        ),
        functions="\n".join(definition(face, method) for method in methods),
    )


def _ports(face: Interface, method: Integrator) -> str:
    """The ports of a run, alike for all methods."""
    rows = port_rows(face, method.dynamics.inputs[:2] + method.held, ())
    inputs = 2 + len(method.held) + bool(face.members)
    return (
        f"static const eomc_port eomc_integrator_rows[] = {{\n    {rows}\n}};\n\n"
        "static const eomc_function eomc_integrator_ports = {\n"
        f'    "integrator", {inputs}, 0, {int(bool(face.members))}, 0, eomc_integrator_rows,\n'
        "    NULL, NULL\n"
        "};\n"
    )


def _held(face: Interface, method: Integrator) -> list[str]:
    """C texts of the inputs that are handed over as an array of pointers; p by the struct."""
    texts = [f"x[{i}]" for i in range(len(method.held))]
    if face.members:
        texts.append(f"(const {face.parameters_type} *)(const void *)x[{len(method.held)}]")
    return texts


def _fixed_thunk(face: Interface, method: Integrator) -> str:
    arguments = ["q", "u", *_held(face, method), *(["t"] if method.timed else [])]
    real, name = face.real_type, method.tableau.name
    return (
        f"static int eomc_run_{name}(\n"
        f"    {real} *q, {real} *u, const {real} *const *x, {real} t, {real} h,\n"
        "    int steps, int per_step, int *done)\n{\n"
        "    (void)x;\n    (void)t;\n"
        f"    return {face.prefix}_{name}_trajectory(\n"
        f"        {', '.join(arguments)}, h, steps, per_step, done);\n}}\n"
    )


def _fixed(face: Interface, method: Integrator) -> str:
    held = [port.name for port in method.held]
    arguments = ["q", "u", *held, *(["t"] if method.timed else []), "h", "steps"]
    keywords = ["*", "p=None"] if face.members else []
    name = method.tableau.name
    rows = "".join(f"\n    {port} : held inputs, one row or one a step" for port in held)
    return (
        f"def {name}({', '.join(arguments + keywords)}):\n"
        f'    """{method.tableau.title}: steps of length h, every one recorded.\n\n'
        f"    q, u : initial state{rows}\n"
        "    returns\n"
        f"        q : (steps + 1, {method.nq}), u : (steps + 1, {method.nu})\n"
        '    """\n'
        f'    return _integrate("{name}", _run_{name}, [{", ".join(held)}], q, u, '
        f"{'t' if method.timed else '0.0'}, h, steps, {'p' if face.members else 'None'})\n"
    )


def _adaptive_thunk(face: Interface, method: Integrator) -> str:
    # Scalars travel by value.
    held = [
        f"{text}[0]" if port.by_value else text
        for text, port in zip(_held(face, method), method.held, strict=False)
    ]
    arguments = ["q", "u", *held, *_held(face, method)[len(held) :]]
    real, name = face.real_type, method.tableau.name
    return (
        f"static int eomc_run_{name}(\n"
        f"    {real} *q, {real} *u, const {real} *const *x, const {real} *times, int rows,\n"
        f"    {real} rtol, {real} atol, int max_steps, {face.prefix}_adaptive_run *run)\n{{\n"
        "    (void)x;\n"
        f"    return {face.prefix}_{name}(\n"
        f"        {', '.join(arguments)}, times, rows, rtol, atol, max_steps, run);\n}}\n"
    )


def _adaptive(face: Interface, method: Integrator) -> str:
    held = [port.name for port in method.held]
    keywords = ["*", "rtol=1e-8", "atol=1e-10", "h=0.0", "max_steps=10_000_000"]
    keywords += ["p=None"] if face.members else []
    name = method.tableau.name
    rows = "".join(f"\n    {port} : inputs, held for the whole run" for port in held)
    return (
        f"def {name}({', '.join(['q', 'u', *held, 'times', *keywords])}):\n"
        f'    """{method.tableau.title}: steps as long as the tolerances allow.\n\n'
        f"    q, u : initial state{rows}\n"
        "    times : (n,) increasing, those of the record\n"
        "    rtol, atol : relative and absolute tolerance\n"
        "    h : first step to try, 0 to choose one\n"
        "    max_steps : most steps, taken or rejected\n"
        "    returns\n"
        f"        q : (n, {method.nq}), u : (n, {method.nu}), and a dict:\n"
        '        "h" the next step to try, "steps" taken and "rejected"\n'
        "    raises FloatingPointError, whose attribute time says when\n"
        '    """\n'
        f'    return _adapt("{name}", _run_{name}, [{", ".join(held)}], q, u, times, '
        f"rtol, atol, h, max_steps, {'p' if face.members else 'None'})\n"
    )
