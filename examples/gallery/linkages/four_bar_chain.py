"""A chain of six parallel linkages: six loops, six freedoms.

Each loop is local, so that the work grows with their number and not with its cube. Pull its end.
"""

from eomc.systems.four_bar_chain import four_bar_chain

model = four_bar_chain(6, damping=0.01)
start = {}
