"""The triangular prism of tensegrity: three struts, nine cables, floating.

It stands because it is prestressed: its softest mode has no stiffness but that of the prestress.
"""

from eomc.systems.tensegrity.prism import prism

model = prism()
start = {"u": {model.speeds[0]: 0.4, model.speeds[-1]: -0.4}}
