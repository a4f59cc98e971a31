"""Imperfections of signals between a law and a mechanism, one file a kind, for `Sampled`.

A kind is a record with `equation`, which runs and is emitted; an object with `begin` alone runs.
"""

from eomc.runtime.control.signal.low_pass import LowPass
from eomc.runtime.control.signal.noise import Noise
from eomc.runtime.control.signal.on_off import OnOff
from eomc.runtime.control.signal.quantizer import Quantizer
from eomc.runtime.control.signal.rate_limit import RateLimit
from eomc.runtime.control.signal.saturation import Saturation
from eomc.runtime.control.signal.signal import Signal

__all__ = ["LowPass", "Noise", "OnOff", "Quantizer", "RateLimit", "Saturation", "Signal"]
