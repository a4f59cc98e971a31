"""A chain of six parallel linkages: six loops, six degrees of freedom.

The loops are local, so the cost grows linearly with their number. Pull its end.
"""

from eomc.systems.four_bar_chain import four_bar_chain

model = four_bar_chain(6, damping=0.01)
start = {}
