"""The Cython face of runs on lanes: the frame stands in ``templates/rollouts.pyx``."""

from collections.abc import Mapping

from eomc.codegen.c.arguments import with_parameters
from eomc.codegen.c.rollouts import Rollouts, rollouts, signals
from eomc.codegen.cython.integrator import state_marks
from eomc.codegen.cython.port import indented
from eomc.codegen.language.body import Body
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill


def rollout_function(face: Interface, bodies: Mapping[str, Body]) -> str:
    """``rk4_rollouts`` in Python; nothing where there is none in C."""
    found = rollouts(face)
    if found is None:
        return ""
    method = found.method
    operations = sum(sum(bodies[entry.name].operations.values()) for entry in method.entries)
    text = fill(
        "rollouts.pyx", support=indented(_support(face, found)), function=_definition(face, found)
    )
    return text.replace("_RATE_OPERATIONS", str(operations + 20))


def _support(face: Interface, found: Rollouts) -> str:
    """Calls of the C function for one group of lanes after the other."""
    method, count = found.method, len(signals(face, found))
    arguments, feedback = [f"&at[{i}]" for i in range(count)], ""
    if found.tau is not None:
        arguments.append("references[0].rows == NULL ? NULL : &feedback")
        feedback = fill("run_rollouts_feedback.h", m=face.prefix)
    arguments += [*(["t"] if method.timed else []), "h", "steps", "every", "codes"]
    return fill(
        "run_rollouts.h",
        m=face.prefix,
        method=method.tableau.name,
        signals=count,
        most_signals=max(count, 1),
        nq=method.nq,
        nu=method.nu,
        width=method.width,
        arguments=", ".join(arguments),
        feedback=feedback,
    )


_REFERENCES = """\
    q_ref, u_ref, a_ref : references of feedback, as many as there are held inputs
    kp, kd : gains, one for all speeds or each its own: kp times the displacement to
        q_ref and kd times u_ref - u are sampled at each step and added to tau
"""
_COMPUTED_TORQUE = """\
    computed_torque : add instead the force for a_ref and these as acceleration
"""


def _definition(face: Interface, found: Rollouts) -> str:
    method = found.method
    held = [port.name for port in method.held]
    arguments = [*method.state, *held, *(["t"] if method.timed else [])]
    arguments += ["h", "steps", "*", "every=1"]
    documented = "".join(
        f"    {name} : held inputs, for each state and step or what broadcasts\n" for name in held
    )
    given: dict[str, str] = {}
    if found.tau is not None:
        arguments += ["q_ref=None", "u_ref=0.0", "a_ref=0.0", "kp=0.0", "kd=0.0"]
        given = {name: name for name in ("q_ref", "u_ref", "a_ref", "kp", "kd")}
        documented += _REFERENCES
        given["computed_torque"] = "False"
        if found.inverse is not None:
            arguments.append("computed_torque=False")
            given["computed_torque"] = "computed_torque"
            documented += _COMPUTED_TORQUE
    return fill(
        "rk4_rollouts.pyx",
        arguments=", ".join([*with_parameters(face, arguments, "p=None"), "threads=None"]),
        title=method.tableau.title,
        documented=documented,
        nq=method.nq,
        nu=method.nu,
        inputs=", ".join(f'"{name}": {name}' for name in held),
        t="t" if method.timed else "0.0",
        given="{" + ", ".join(f'"{name}": {value}' for name, value in given.items()) + "}",
        p="p" if face.members else "None",
        **state_marks(method, "..."),
    )
