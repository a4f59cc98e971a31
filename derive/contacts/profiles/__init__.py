"""Profiles of wheels and rails: as they are declared, and their nearest points."""
