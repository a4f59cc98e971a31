"""How pictures show joints and elements."""
