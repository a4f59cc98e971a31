"""Ready models."""
