"""Estimation of states that are not measured, from measurements."""

from eomc.runtime.estimation.extended_kalman_filter import ExtendedKalmanFilter, StateEstimate
from eomc.runtime.estimation.kalman_gain import kalman_gain
from eomc.runtime.estimation.output_feedback import OutputFeedback

__all__ = ["ExtendedKalmanFilter", "OutputFeedback", "StateEstimate", "kalman_gain"]
