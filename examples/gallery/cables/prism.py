"""The triangular tensegrity prism: three floating struts and nine cables.

Prestress stabilizes it: the stiffness of its softest mode comes from the prestress alone.
"""

from eomc.systems.tensegrity.prism import prism

model = prism()
start = {"u": {model.speeds[0]: 0.4, model.speeds[-1]: -0.4}}
