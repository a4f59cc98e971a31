"""What functions that are emitted on request must give, by other ways than the derivation's."""
