"""A cart swings its pendulum up, by direct collocation in IPOPT on compiled code.

Least effort from hanging at rest to standing at rest in two seconds; the force on the cart is
within 20 N and the rail within 1 m. Trapezoidal rule, 200 intervals. Jacobian and Hessian are the
compiled ones. Needs CasADi: pip install 'eomc[casadi]'.
"""

import casadi as ca
import numpy as np

import eomc

NODES, DURATION, FORCE, RAIL = 201, 2.0, 20.0, 1.0

model = eomc.Model("cart_pole", gravity=(0, 0, -9.81))
model.body("cart", mass=1.0)
model.body("bob", mass=0.3, com=(0, 0, -0.5))
model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
model.joint("theta", "revolute", parent="cart", child="bob", axis=(0, -1, 0))
cart_pole = eomc.build(model)
dynamics = cart_pole.casadi("forward_dynamics")

h = DURATION / (NODES - 1)
q, u, F = ca.MX.sym("q", 2, NODES), ca.MX.sym("u", 2, NODES), ca.MX.sym("F", 1, NODES)
tau = ca.vertcat(F, ca.MX(1, NODES))
x, rate = ca.vertcat(q, u), ca.vertcat(u, dynamics.map(NODES)(q, u, tau))
defects = x[:, 1:] - x[:, :-1] - h / 2 * (rate[:, 1:] + rate[:, :-1])
ends = ca.vertcat(x[:, 0], x[:, -1] - ca.DM([0, np.pi, 0, 0]))
problem = {
    "x": ca.vertcat(ca.vec(q), ca.vec(u), ca.vec(F)),
    "f": h * ca.sumsqr(F),
    "g": ca.vertcat(ca.vec(defects), ends),
}
solver = ca.nlpsol(
    "swing_up", "ipopt", problem, {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}
)

share = np.linspace(0, 1, NODES)
guess = np.concatenate([np.vstack([0 * share, np.pi * share]).ravel("F"), np.zeros(3 * NODES)])
bound = np.concatenate(
    [np.tile([RAIL, np.inf], NODES), np.full(2 * NODES, np.inf), np.full(NODES, FORCE)]
)
found = solver(x0=guess, lbx=-bound, ubx=bound, lbg=0, ubg=0)
assert solver.stats()["success"], solver.stats()["return_status"]
force = np.array(found["x"]).ravel()[-NODES:]
print(f"{solver.stats()['iter_count']} iterations, effort {float(found['f']):.3f} N^2 s")


def held(t, q, u):
    """The force found, by straight lines between the nodes."""
    return np.array([np.interp(t, DURATION * share, force), 0.0])


run = eomc.simulate(cart_pole, t_span=DURATION, controller=held)
print(f"at the end of a run: theta = {run.q[-1, 1]:.3f} rad, x = {run.q[-1, 0]:.3f} m")
