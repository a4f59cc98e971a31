"""Methods that hold torques and inputs between times, as a digital controller does."""

HOLDING = ("dopri", "rk4")
