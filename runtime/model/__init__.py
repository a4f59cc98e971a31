"""A compiled model: its functions, its states, its limits, and what can go wrong with it."""
