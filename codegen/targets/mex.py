"""MEX: the C functions as functions of MATLAB and Octave, called as those of target ``matlab``."""

from collections.abc import Iterator, Sequence
from importlib.resources import files as resources
from string import Template

from eomc.codegen.language.comment import comment_lines, contract
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.target import Request, Target, register
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port
from eomc.codegen.targets.c99 import files as c_files
from eomc.codegen.targets.matlab import RESERVED as WORDS
from eomc.codegen.targets.matlab import Matlab, check_names, parameters

_BUILD = """\
function build_$script()
% Compile $made into the folder of this file, with the C compiler of $by.
%
% Products and sums are not contracted: the results are those of the C code on every machine.
    here = fileparts(mfilename('fullpath'));
    names = {$$names};
    sources = cellfun(@(name) fullfile(here, name), names, 'UniformOutput', false);
$octave    if ispc
        mex(['-I' here], '-outdir', here, '-output', '$made', sources{:});
    else
        mex(['-I' here], 'CFLAGS=$$$$CFLAGS -std=gnu99 -ffp-contract=off -fno-math-errno', ...
            '-outdir', here, '-output', '$made', sources{:});
    end
end
"""
_OCTAVE = """\
    if exist('OCTAVE_VERSION', 'builtin')
        before = getenv('CFLAGS');
        setenv('CFLAGS', [before ' -O2 -std=gnu99 -ffp-contract=off -fno-math-errno']);
        restored = onCleanup(@() setenv('CFLAGS', before));
        mex(['-I' here], '-o', fullfile(here, '${m}_mex'), sources{:});
        return
    end
"""


def _script(**marks: str) -> Template:
    return Template(Template(_BUILD).substitute(marks))


BUILD = _script(script="${m}", made="${m}_mex", by="MATLAB or of Octave", octave=_OCTAVE)
BUILD_S_FUNCTION = _script(script="${m}_sfun", made="${m}_sfun", by="MATLAB", octave="")


def files(face: Interface, request: Request) -> dict[str, str]:
    """C files, the gateway, a script that compiles them, and a function of MATLAB for each."""
    gate = {f"{face.prefix}_mex.c": gateway(face)}
    made = with_script(face, request, gate, f"build_{face.prefix}.m", BUILD)
    package = {entry.name: wrapper(face, entry, k + 1) for k, entry in enumerate(face.entries)}
    if face.members:
        package["parameters"] = parameters(face, Matlab(face))
    check_names(package)
    return made | {f"+{face.prefix}/{name}.m": text for name, text in package.items()}


def with_script(
    face: Interface, request: Request, gate: dict[str, str], script: str, text: Template
) -> dict[str, str]:
    """C files, the `gate` to them, and a `script` that compiles all of these."""
    made = c_files(face, request)
    kept = {name: text for name, text in made.items() if name.endswith((".c", ".h"))} | gate
    names = " ".join(f"'{name}'" for name in sorted(kept) if name.endswith(".c"))
    return kept | {script: text.substitute(m=face.prefix, names=names)}


def wrapper(face: Interface, entry: EmittedFunction, number: int) -> str:
    """A function of the package, with its contract as help."""
    names = [port.name for port in entry.inputs] + ["p"] * bool(face.members)
    outputs = ", ".join(port.name for port in entry.outputs)
    called = ", ".join([str(number), *names])
    lines = [f"function [{outputs}] = {entry.name}({', '.join(names)})"]
    lines.append(comment_lines(contract(face, entry), "%").rstrip("\n"))
    if face.members:
        lines += [f"{INDENT}if nargin < {len(names)}", f"{INDENT * 2}p = [];", f"{INDENT}end"]
    lines += [f"{INDENT}[{outputs}] = {face.prefix}_mex({called});", "end", ""]
    return "\n".join(lines)


def gateway(face: Interface) -> str:
    """Text of ``<model>_mex.c``."""
    ports = [port for entry in face.entries for port in entry.ports]
    text = (resources("eomc.codegen.matlab") / "gateway.c").read_text("utf-8")
    return Template(text).substitute(
        m=face.prefix,
        M=face.macro,
        name=face.program.name,
        start=len(face.prefix) + 1,
        most=max([1, *(port.size for port in ports)]),
        most_inputs=max([1, *(len(entry.inputs) for entry in face.entries)]),
        most_outputs=max([1, *(len(entry.outputs) for entry in face.entries)]),
        extra=int(bool(face.members)),
        parameters=_settings(face) if face.members else "",
        functions="\n".join("\n".join(_call(face, entry)) for entry in face.entries),
        calls="".join(f"{INDENT * 2}call_{entry.name},\n" for entry in face.entries),
    )


def _settings(face: Interface) -> str:
    """Reads the struct of tunable parameters; what is left out keeps the value of the model."""
    lines = [
        f"{INDENT}int known = 0;",
        f"{INDENT}if (count <= place || mxIsEmpty(values[place])) {{",
        f"{INDENT * 2}return p;",
        f"{INDENT}}}",
        f"{INDENT}if (!mxIsStruct(values[place])) {{",
        f'{INDENT * 2}mexErrMsgIdAndTxt("{face.prefix}:size", "p is a struct of parameters");',
        f"{INDENT}}}",
    ]
    for member in face.members:
        lines += [
            f'{INDENT}if (mxGetField(values[place], 0, "{member.name}") != NULL) {{',
            f'{INDENT * 2}take(mxGetField(values[place], 0, "{member.name}"), "{member.name}", 1, '
            f"NULL, 0, &p.{member.name});",
            f"{INDENT * 2}known++;",
            f"{INDENT}}}",
        ]
    names = ", ".join(member.name for member in face.members)
    lines += [
        f"{INDENT}if (known < mxGetNumberOfFields(values[place])) {{",
        f'{INDENT * 2}mexErrMsgIdAndTxt("{face.prefix}:size", "p has a field that is none of '
        f'{names}");',
        f"{INDENT}}}",
    ]
    return settings(face, "int count, int place, const mxArray **values", lines)


def settings(face: Interface, arguments: str, lines: Sequence[str]) -> str:
    """A function of C that gives the parameters ``p`` of the model, changed by `lines`."""
    kind = face.parameters_type
    head = [f"static {kind} settings({arguments})", "{"]
    head.append(f"{INDENT}{kind} p = {face.prefix}_default_parameters();")
    return "\n".join([*head, *lines, f"{INDENT}return p;", "}\n\n"])


def _call(face: Interface, entry: EmittedFunction) -> Iterator[str]:
    """A C function that takes arrays of MATLAB, calls, and gives others."""
    yield f"static void call_{entry.name}(int nlhs, mxArray **plhs, int nrhs, const mxArray **prhs)"
    yield "{"
    for port in entry.ports:
        if len(port.argument.shape) > 1:
            extents = ", ".join(map(str, port.argument.shape))
            yield f"{INDENT}static const mwSize shape_{port.name}[] = {{{extents}}};"
    if face.members:
        yield f"{INDENT}{face.parameters_type} numbers;"
    yield f"{INDENT}arguments(nrhs, {len(entry.inputs)});"
    for place, port in enumerate(entry.inputs):
        told = f'prhs[{place}], "{port.name}", {port.size}, {_shaped(port)}'
        yield f"{INDENT}take({told}, given[{place}]);"
    if face.members:
        yield f"{INDENT}numbers = settings(nrhs, {len(entry.inputs)}, prhs);"
    passed = [f"given[{k}][0]" if p.by_value else f"given[{k}]" for k, p in enumerate(entry.inputs)]
    passed += ["&numbers"] * bool(face.members)
    passed += [f"found[{k}]" for k, _ in enumerate(entry.outputs)]
    yield f"{INDENT}check({entry.symbol}({', '.join(passed)}));"
    for place, port in enumerate(entry.outputs):
        made = f"plhs[{place}] = give(found[{place}], {port.size}, {_shaped(port)});"
        yield f"{INDENT}{made}" if place == 0 else f"{INDENT}if (nlhs > {place}) {{"
        if place:
            yield f"{INDENT * 2}{made}"
            yield f"{INDENT}}}"
    yield "}\n"


def _shaped(port: Port) -> str:
    """Arguments that tell the shape; vectors have none to tell."""
    axes = len(port.argument.shape)
    return f"shape_{port.name}, {axes}" if axes > 1 else "NULL, 0"


TARGET = register(Target("mex", files, WORDS.split(), for_loops=True))
