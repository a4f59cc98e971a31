"""Mechanics made without the derivation: from the declared data or their numbers alone."""
