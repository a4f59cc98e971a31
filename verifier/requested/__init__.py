"""Values that functions on request must give, by other ways than the derivation's."""
