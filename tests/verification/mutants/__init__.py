"""Mutation testing of `eomc.verify`: systematic faults in what derives and emits."""
