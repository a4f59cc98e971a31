"""Imperfections of signals between a law and a mechanism, one file a kind, for `Sampled`.

A kind is a record with `equation`, which runs and is emitted; an object with `begin` alone runs.
"""

from eomc.runtime.control.signal.signal import Signal
from eomc.runtime.control.signal.signals import (
    LowPass,
    Noise,
    OnOff,
    Quantizer,
    RateLimit,
    Saturation,
)

__all__ = ["LowPass", "Noise", "OnOff", "Quantizer", "RateLimit", "Saturation", "Signal"]
