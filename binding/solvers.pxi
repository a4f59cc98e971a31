

cdef class _SolverFunction(_RoutineFunction):
    """A solver of the constraints.

    Its entry in the manifest names the `arrays` of q and speeds that it takes, those of them that it
    changes and returns, the further inputs `held`, the shapes of further `outputs`, and which `order`
    it takes ("order" of the speeds, "actuated" ones) or gives ("rank").
    """
    cdef list arrays, places, outputs
    cdef str order
    cdef bint iterates
    cdef int nu

    def describe(self, entry):
        held = _named_shapes(_zero_order_hold(entry))
        self.ports = self.ports_of(held)
        self.arrays, self.outputs = entry["arrays"], [tuple(shape) for shape in entry["outputs"]]
        self.order, self.iterates, self.nu = entry["order"], entry["iterates"], entry["speeds"]
        self.names = [name for name, _ in self.arrays] + [name for name, _ in held]
        if self.order in ("order", "actuated"):
            self.names.append(self.order)
        self.keywords = {"tolerance": 1e-12, "max_steps": 50} if self.iterates else {}
        changed = [i for i, (name, _) in enumerate(self.arrays) if name in entry["changed"]]
        further = range(len(self.arrays), len(self.arrays) + len(self.outputs))
        self.places = [*changed, *further]
        return "\n".join([entry["description"], "", *self.notes(entry)])

    def notes(self, entry):
        """Lines on arguments that other functions do not take, and on the error."""
        lines = []
        if self.order == "order":
            lines.append(
                f"order : places of all speeds, the {entry['independent']} independent ones first"
            )
        if self.order == "actuated":
            lines.append(f"actuated : {self.nu} truth values, one for each speed")
        if "multipliers" in self.names:
            lines.append("a, multipliers : of a consistent state, as consistent_state gives them")
        if self.title == "state_space":
            lines.append("y : displacements, changes of speeds and of accelerations of all")
        if self.iterates:
            lines.append("tolerance : largest residual that may remain if rounding allows less")
        return [*lines, "raises FloatingPointError, whose attribute code says what failed"]

    def run(self, **given):
        """One call: copies of the arrays, then the outputs."""
        cdef _Library library = self.library
        cdef const void *x[_PORTS]
        cdef void *y[_PORTS]
        cdef int rank = 0, steps = 0, status, i
        cdef double most = 0.0
        cdef _Solver solver = <_Solver><void *>self.call
        name = self.title
        if self.iterates:
            steps, most = _count("max_steps", given["max_steps"]), given["tolerance"]
        if steps < 0 or not most >= 0:
            raise ValueError(f"{name}: tolerance and max_steps must not be negative")
        found = [self.array(label, given[label], size) for label, size in self.arrays]
        found += [_np.empty(shape, library.dtype) for shape in self.outputs]
        for i, array in enumerate(found):
            y[i] = _data(array)
        keep = []
        for i in range(self.ports.count):
            port = self.ports.rows + i
            label = port.name.decode()
            if label == "parameters" and library.parameter_names:
                keep.append(library.parameters(name, port, given["parameters"]))
            else:
                keep.append(library.coerced(name, port, given[label]))
            x[i] = _data(keep[i])
        order = self.ordered(given)
        cdef int *places = <int *>_data(order)
        with nogil:
            status = solver(x, y, places, &rank, most, steps)
        if status != 0:
            error = FloatingPointError(f"{name}: {library.status_name(status)}")
            error.code = library.status_name(status)
            error.rank = rank
            raise error
        if self.order == "rank":
            return order.tolist(), rank
        results = tuple([found[place] for place in self.places])
        return results[0] if len(results) == 1 else results

    cdef object array(self, label, value, size):
        """A copy of q or of speeds."""
        try:
            array = _np.array(value, self.library.dtype)
        except (TypeError, ValueError):
            raise TypeError(f"{self.title}: argument '{label}' is no array of real numbers") from None
        if array.shape != (size,):
            raise ValueError(
                f"{self.title}: argument '{label}' has shape {array.shape}, expected ({size},)"
            )
        return array

    cdef object ordered(self, dict given):
        """The order of the speeds, each once; or which speeds are actuated."""
        if self.order not in ("order", "actuated"):
            return _np.arange(max(self.nu, 1), dtype=_np.intc)
        if self.order == "actuated":
            entries = [bool(entry) for entry in given["actuated"]]
        else:
            entries = [_index(place) for place in given["order"]]
            if sorted(entries) != list(range(self.nu)):
                raise ValueError(
                    f"{self.title}: argument 'order' must hold each of 0 ... {self.nu - 1} once"
                )
        if len(entries) != self.nu:
            raise ValueError(f"{self.title}: {len(entries)} entries for {self.nu} speeds")
        return _np.array(entries, dtype=_np.intc)
