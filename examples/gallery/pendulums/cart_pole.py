"""A cart and a pendulum, the example of the README.

The cart rolls freely. Pull it and the pendulum follows; let go and both swing about their common
centre of mass.
"""

import eomc

model = eomc.Model("cart_pole", gravity=(0, 0, "-g"))
for name, value in {"m_c": 1.0, "m_b": 0.2, "l": 0.5, "g": 9.81}.items():
    model.parameter(name, value, tunable=True)
model.body("cart", mass="m_c")
model.body("bob", mass="m_b", com=(0, 0, "-l"))
model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
model.joint("theta", "revolute", parent="cart", child="bob", axis=(0, -1, 0))
start = {"q": {"theta": 2.5}}
