"""Marks of joints and elements in pictures."""
