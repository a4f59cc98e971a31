"""Predictive control and optimal control by a Riccati recursion in C."""

from eomc.runtime.predictive.mpc import MPC

__all__ = ["MPC"]
