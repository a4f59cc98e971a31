"""FMI: a model as a Functional Mock-up Unit, a package around its emitted C."""
