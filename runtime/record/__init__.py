"""The record of a run, and the states between its times."""
