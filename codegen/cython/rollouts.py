"""The Cython face of runs on lanes: the frame stands in ``templates/rollouts.pyx``."""

from collections.abc import Mapping

from eomc.codegen.c.body import Body
from eomc.codegen.c.rollouts import Rollouts, rollouts, signal_names
from eomc.codegen.cython.port import indented
from eomc.codegen.interface import Interface
from eomc.codegen.template import fill


def rollout_function(face: Interface, bodies: Mapping[str, Body]) -> str:
    """``rk4_rollouts`` in Python; nothing where there is none in C."""
    found = rollouts(face)
    if found is None:
        return ""
    method = found.method
    operations = sum(
        sum(bodies[entry.name].operations.values()) for entry in (method.rates, method.dynamics)
    )
    text = fill(
        "rollouts.pyx", support=indented(_support(face, found)), function=_definition(face, found)
    )
    return text.replace("_RATE_OPERATIONS", str(operations + 20))


def _support(face: Interface, found: Rollouts) -> str:
    """Calls of the C function for one group of lanes after the other."""
    real, method, m = face.real_type, found.method, face.prefix
    signals = len(signal_names(face, found))
    arguments = [f"&at[{i}]" for i in range(signals)]
    feedback = []
    if found.tau is not None:
        arguments.append("references[0].rows == NULL ? NULL : &feedback")
        feedback = [
            f"        {m}_feedback feedback;",
            "        for (i = 0; references[0].rows != NULL && i < EOMC_NU; i++) {",
            "            feedback.kp[i] = kp[i];",
            "            feedback.kd[i] = kd[i];",
            "        }",
            *(
                f"        feedback.{name} = references[{i}];\n"
                f"        feedback.{name}.rows += references[{i}].rows == NULL ? 0\n"
                f"            : (size_t)group*EOMC_LANES*references[{i}].state;"
                for i, name in enumerate(("q_ref", "u_ref", "a_ref"))
            ),
            "        feedback.computed_torque = computed_torque;",
        ]
    arguments += ["t"] if method.timed else []
    return "\n".join(
        [
            f"#define EOMC_SIGNALS {signals}",
            f"#define EOMC_NU {method.nu}",
            f"typedef {m}_signal eomc_signal;",
            "",
            "static int eomc_run_rollouts(",
            f"    {real} *q, {real} *u, const eomc_signal *inputs, const eomc_signal *references,",
            f"    const {real} *kp, const {real} *kd, int computed_torque, {real} t, {real} h,",
            "    int steps, int every, npy_intp groups, npy_intp *bad)",
            "{",
            "    const size_t rows = (size_t)(steps/every + 1)*EOMC_LANES;",
            "    int codes[EOMC_LANES];",
            "    npy_intp group;",
            "    int i;",
            "    for (group = 0; group < groups; group++) {",
            f"        eomc_signal at[{max(signals, 1)}];",
            "        int status;",
            *feedback,
            "        for (i = 0; i < EOMC_SIGNALS; i++) {",
            "            at[i] = inputs[i];",
            "            at[i].rows += (size_t)group*EOMC_LANES*at[i].state;",
            "        }",
            f"        status = {m}_{method.tableau.name}_rollouts(",
            f"            q + (size_t)group*rows*{method.nq}, u + (size_t)group*rows*{method.nu},",
            f"            {', '.join([*arguments, 'h', 'steps', 'every', 'codes'])});",
            "        if (status != 0) {",
            "            for (i = 0; codes[i] == 0; i++) {",
            "            }",
            "            *bad = group*EOMC_LANES + i;",
            "            return codes[i];",
            "        }",
            "    }",
            "    return 0;",
            "}",
        ]
    )


def _definition(face: Interface, found: Rollouts) -> str:
    method = found.method
    held = [port.name for port in method.held]
    arguments = ["q", "u", *held, *(["t"] if method.timed else []), "h", "steps", "*", "every=1"]
    lines = [
        f"    {name} : held inputs, for each state and step or what broadcasts" for name in held
    ]
    given = "{}"
    if found.tau is not None:
        arguments += ["q_ref=None", "u_ref=0.0", "a_ref=0.0", "kp=0.0", "kd=0.0"]
        arguments += ["computed_torque=False"] if found.inverse is not None else []
        lines += [
            "    q_ref, u_ref, a_ref : references of feedback, as many as there are held inputs",
            "    kp, kd : gains, one for all speeds or each its own: kp times the displacement to",
            "        q_ref and kd times u_ref - u are sampled at each step and added to tau",
        ]
        if found.inverse is not None:
            lines += [
                "    computed_torque : add instead the force for a_ref and these as acceleration"
            ]
        given = (
            '{"q_ref": q_ref, "u_ref": u_ref, "a_ref": a_ref, "kp": kp, "kd": kd, '
            '"computed_torque": '
            + ("computed_torque" if found.inverse is not None else "False")
            + "}"
        )
    arguments += ["p=None"] if face.members else []
    arguments.append("threads=None")
    inputs = ", ".join(f'"{name}": {name}' for name in held)
    return "\n".join(
        [
            f"def rk4_rollouts({', '.join(arguments)}):",
            f'    """Many runs at once: {method.tableau.title}, steps of length h.',
            "",
            "    q, u : initial states, one in each row",
            *lines,
            "    every : steps from one record to the next",
            "    threads : at most so many, by default all cores if it is worth it",
            "    returns",
            f"        q : (states, steps/every + 1, {method.nq}), u : (..., {method.nu})",
            '    """',
            f"    return _roll_out({{{inputs}}}, q, u, {'t' if method.timed else '0.0'}, h, steps, "
            f"every, threads,",
            f"                     {given}, {'p' if face.members else 'None'})",
            "",
        ]
    )
