"""Places and rates of points and frames on the graph, and the forces that act there."""
