"""A space robot in space, fourteen degrees of freedom.

Two arms of three joints and an antenna of two on a floating base, with Euler parameters for the
attitude; published operation counts of such robots stand on the page of the free-flyers.
"""

from eomc.systems import free_flyer

model = free_flyer.spatial()
start = {"u": {model.speeds[6]: 0.6, model.speeds[10]: -0.8}}
