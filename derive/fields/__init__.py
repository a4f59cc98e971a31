"""The language in which records declare their fields, and registries of kinds of records."""
