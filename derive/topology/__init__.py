"""Topology of a model: spanning tree, joints that close loops, order of the branches."""
