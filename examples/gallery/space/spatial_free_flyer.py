"""A space robot in space, fourteen degrees of freedom.

A floating base has two arms of three joints and an antenna of two. Euler parameters describe the
attitude.
"""

from eomc.systems import free_flyer

model = free_flyer.spatial()
start = {"u": {model.speeds[6]: 0.6, model.speeds[10]: -0.8}}
