"""Torques, inputs and motions that drive a model, and checks of the laws that users give."""
