"""A program small enough to check by hand, with everything that a model has."""

from eomc.derive.graph import Argument, Function, Graph, Guard, Program, TunableParameter


def symbols(graph: Graph, name: str, size: int) -> tuple[int, ...]:
    return tuple(graph.symbol(f"{name}[{i}]") for i in range(size))


def pendulum(name: str = "pendulum", tunable: bool = True, timed: bool = False) -> Program:
    """A driven damped pendulum in closed form: m l^2 a = tau - m g l sin q - d u (+ cos t).

    Its acceleration exists while l > 0, which the guard says.
    """
    g = Graph()
    (q,), (u,), (tau,) = symbols(g, "q", 1), symbols(g, "u", 1), symbols(g, "tau", 1)
    time = g.symbol("t")
    mass = g.symbol("mass") if tunable else g.constant(2)
    length = g.symbol("length") if tunable else g.constant(0.7)
    inertia = g.label(g.mul(mass, g.mul(length, length)), "inertia about the hinge")
    weight = g.mul(g.mul(mass, g.constant(9.81)), g.mul(length, g.unary("sin", q)))
    moment = g.sub(g.sub(tau, weight), g.mul(g.constant(0.1), u))
    if timed:
        moment = g.add(moment, g.unary("cos", time))
    kinetic = g.mul(g.constant(0.5), g.mul(inertia, g.mul(u, u)))
    potential = g.neg(g.mul(g.mul(mass, g.constant(9.81)), g.mul(length, g.unary("cos", q))))
    in_q = Argument("q", (1,), (q,), "angle from hanging", "rad", ("hinge",))
    in_u = Argument("u", (1,), (u,), "angular velocity", "rad/s", ("hinge",))
    in_tau = Argument("tau", (1,), (tau,), "torque", "N m", ("hinge",))
    in_t = (Argument("t", (), (time,), "time", "s"),) if timed else ()
    guards = (Guard(length, "degenerate_length"),) if tunable else ()
    functions = (
        Function(
            "forward_dynamics",
            (in_q, in_u, in_tau, *in_t),
            (Argument("a", (1,), (g.div(moment, inertia),), "acceleration", "rad/s^2"),),
            "Angular acceleration.",
            guards,
        ),
        Function("coordinate_rates", (in_q, in_u), (Argument("qdot", (1,), (u,)),)),
        Function("mass_matrix", (in_q,), (Argument("M", (1, 1), (inertia,), "", "kg m^2"),)),
        Function(
            "energies",
            (in_q, in_u),
            (
                Argument("T", (), (kinetic,), "kinetic", "J"),
                Argument("V", (), (potential,), "potential", "J"),
            ),
            "Kinetic and potential energy.",
        ),
        Function("neutral", (), (Argument("q", (1,), (g.constant(0),)),)),
    )
    parameters = (
        TunableParameter("mass", "mass", 2.0, "kg", "of the bob"),
        TunableParameter("length", "length", 0.7, "m"),
    )
    names = {"q": ("hinge",), "u": ("hinge",)}
    metadata = {"coordinates": ["hinge"]}
    return Program(name, g, functions, parameters if tunable else (), names, metadata)
