
cdef class _Runs:
    """Some groups of runs, as many in each as there are lanes, for one thread; from the first that
    is not done to the last."""
    cdef char *q
    cdef char *u
    cdef const _Signal *inputs
    cdef const _Signal *references
    cdef const char *kp
    cdef const char *kd
    cdef double t, h, operations
    cdef int steps, every, computed_torque, status, lanes, real, signals
    cdef bint is_stopped
    cdef _npy_intp first, last, bad, q_size, u_size
    cdef _RollOut call

    def run(self):
        """All groups, unless a signal ends it or the main thread says so."""
        cdef double one = 4.0 * self.lanes * self.operations * self.steps
        cdef _npy_intp stretch = 1 + <_npy_intp>(_STRETCH_OPERATIONS / one), groups
        while self.first < self.last and not self.is_stopped:
            groups = min(stretch, self.last - self.first)
            self.run_groups(groups)
            if self.status != 0:
                break
            self.first += groups
            _check_signals()

    cdef run_groups(self, _npy_intp groups):
        """The next so many."""
        cdef _Signal inputs[_PORTS]
        cdef _Signal references[3]
        cdef _npy_intp start = self.first * self.lanes
        cdef size_t bad = 0
        cdef int i
        for i in range(self.signals):
            inputs[i] = self.inputs[i]
            inputs[i].rows += start * inputs[i].state * self.real
        for i in range(3):
            references[i] = self.references[i]
            if references[i].rows != NULL:
                references[i].rows += start * references[i].state * self.real
        with nogil:
            self.status = self.call(
                self.q + start * self.q_size, self.u + start * self.u_size, inputs, references,
                self.kp, self.kd, self.computed_torque, self.t, self.h, self.steps, self.every,
                groups, &bad)
        self.bad = bad


cdef class _RolloutFunction(_RoutineFunction):
    """Many runs at once on lanes, with feedback where the model allows it."""
    cdef int nq, nu, nz
    cdef double operations
    cdef bint timed
    cdef list held, feedback

    def describe(self, entry):
        self.nq, self.nu, self.nz = entry["nq"], entry["nu"], entry["nz"]
        self.operations, self.timed = entry["operations"] + 20, _time_dependent(entry)
        held = _named_shapes(_zero_order_hold(entry))
        self.held = [name for name, _ in held]
        self.ports = self.ports_of([("q", (self.nq,)), ("u", (self.nu + self.nz,)), *held])
        self.names = [*entry["state"], *self.held, *(["t"] if self.timed else []), "h", "steps"]
        self.keywords = {"every": 1}
        references = {"q_ref": None, "u_ref": 0.0, "a_ref": 0.0, "kp": 0.0, "kd": 0.0}
        if entry["computed_torque"]:
            references["computed_torque"] = False
        self.feedback = list(references) if entry["feedback"] else []
        if entry["feedback"]:
            self.keywords.update(references)
        if self.library.parameter_names:
            self.keywords["parameters"] = None
        self.keywords["threads"] = None
        return _rollout_text(entry)

    cdef object parameters_in(self, dict given):
        """The held inputs by name, the parameters last."""
        held = {name: given[name] for name in self.held}
        if self.library.parameter_names:
            port = self.ports.rows + self.ports.count - 1
            p = self.library.parameters(self.title, port, given["parameters"])
            held["parameters"] = p if p.ndim == 1 else p[:, None, :]
        return held

    cdef object signal(self, name, value, states, steps, size, keep, index, _Signal *signal):
        """Numbers for each state and step: all of them, or what broadcasts to them."""
        given = _np.asarray(_unmasked(f"{self.title}: argument '{name}'", value), self.library.dtype)
        try:
            _np.broadcast_to(given, (states, steps, size))
        except ValueError:
            raise ValueError(
                f"{self.title}: argument '{name}' has shape {given.shape}; expected what broadcasts "
                f"to (states, steps, {size}) = {(states, steps, size)}"
            ) from None
        # Rows are whole; states and steps that share one are not told apart.
        rows = (*given.shape[:max(given.ndim - 1, 0)], size)
        given = _np.ascontiguousarray(_np.broadcast_to(given, rows))
        if len(index) != states and given.ndim == 3 and given.shape[0] > 1:
            given = given[index]
        array = _np.broadcast_to(given, (len(index), steps, size))
        keep.append((name, array))
        signal.rows = <const char *>_data(array)
        signal.state = array.strides[0] // array.itemsize
        signal.step = array.strides[1] // array.itemsize

    cdef object gains(self, dict given):
        """kp and kd as rows of both; None if no feedback is asked for."""
        if given.get("q_ref") is None:
            for name in self.feedback:
                if given[name] is not None and _np.any(given[name]):
                    raise ValueError(
                        f"{self.title}: argument '{name}' without 'q_ref'; feedback needs both"
                    )
            return None
        gains = _np.empty((2, self.nu), self.library.dtype)
        for row, name in zip(gains, ("kp", "kd")):
            where = f"{self.title}: argument '{name}'"
            value = _np.asarray(_unmasked(where, given[name]), self.library.dtype)
            if not _np.isfinite(value).all():
                raise ValueError(f"{where} is not finite")
            if value.ndim > 1 or value.size not in (1, self.nu):
                raise ValueError(f"{where} has shape {value.shape}; expected () or ({self.nu},)")
            row[:] = value
        return gains

    cdef object states_of(self, q, u):
        """q, u and how many states they hold."""
        q = self.library.coerced(self.title, self.ports.rows, q)
        u = self.library.coerced(self.title, self.ports.rows + 1, u)
        try:
            batch = _np.broadcast_shapes(q.shape[:q.ndim - 1], u.shape[:u.ndim - 1])
        except ValueError:
            batch = (0, 0)
        if len(batch) != 1:
            raise ValueError(
                f"{self.title}: arguments 'q' and 'u' of shapes {q.shape} and {u.shape} must be "
                "rows of states, as many of one as of the other"
            )
        return q, u, batch[0]

    def run(self, **given):
        """All runs; returns their records."""
        u = given["u"]
        if self.nz:
            u = _behind(self.library, u, given["z"], self.nu, self.nz)
        found = self.roll_out(given["q"], u, given)
        return _parted(found, self.nu) if self.nz else found

    cdef object roll_out(self, q, u, dict given):
        cdef _Signal inputs[_PORTS]
        cdef _Signal references[3]
        cdef int count = _count("steps", given["steps"]), every = _count("every", given["every"]), i
        cdef int lanes = self.library.table.lanes
        cdef double t = given["t"] if self.timed else 0.0
        gains = self.gains(given)
        if count < 0 or every < 1 or count % every:
            raise ValueError(
                f"{self.title}: {count} steps cannot be recorded every {every}; steps must be a "
                "multiple of every"
            )
        if not _np.isfinite([t, given["h"]]).all():
            raise ValueError(f"{self.title}: arguments 't' and 'h' must be finite")
        q, u, states = self.states_of(q, u)
        groups = -(-states // lanes)
        index = _np.minimum(_np.arange(groups * lanes), max(states - 1, 0))
        rows = count // every + 1
        q_rows = _np.empty((groups * lanes, rows, q.shape[q.ndim - 1]), self.library.dtype)
        u_rows = _np.empty((groups * lanes, rows, u.shape[u.ndim - 1]), self.library.dtype)
        result = q_rows[:states], u_rows[:states]
        if states == 0:
            return result
        q_rows[:, 0] = _np.broadcast_to(q, (states, q.shape[q.ndim - 1]))[index]
        u_rows[:, 0] = _np.broadcast_to(u, (states, u.shape[u.ndim - 1]))[index]
        if count == 0:
            return result
        keep = []
        for i, (name, value) in enumerate(self.parameters_in(given).items()):
            size = self.ports.rows[2 + i].size
            self.signal(name, value, states, count, size, keep, index, &inputs[i])
        for i, name in enumerate(("q_ref", "u_ref", "a_ref")):
            references[i].rows = NULL
            references[i].state = references[i].step = 0
            if gains is not None:
                size = self.nq if i == 0 else self.nu
                self.signal(name, given[name], states, count, size, keep, index, &references[i])
        number = _threads_for(groups * lanes * 4.0 * count * self.operations, given["threads"])
        share = -(-groups // (4 * number)) if number > 1 else groups
        parts = []
        for place in range(0, groups, share):
            part = self.part(q_rows, u_rows, gains, place, min(place + share, groups))
            part.inputs, part.references = inputs, references
            part.computed_torque = bool(given.get("computed_torque"))
            part.t, part.h, part.steps, part.every = t, given["h"], count, every
            parts.append(part)
        _run_parts(parts, number)
        self.require_success(parts, states, q_rows, u_rows, keep)
        return result

    cdef _Runs part(self, q_rows, u_rows, gains, first, last):
        """Some groups of the runs."""
        cdef _Runs part = _Runs()
        part.q, part.u = <char *>_data(q_rows), <char *>_data(u_rows)
        part.kp = part.kd = NULL
        if gains is not None:
            part.kp, part.kd = <const char *>_data(gains), <const char *>_data(gains[1])
        part.first, part.last = first, last
        part.q_size, part.u_size = q_rows.strides[0], u_rows.strides[0]
        part.operations, part.signals = self.operations, self.ports.count - 2
        part.lanes, part.real = self.library.table.lanes, self.library.table.real
        part.call = <_RollOut><void *>self.call
        return part

    cdef require_success(self, parts, states, q_rows, u_rows, keep):
        """Raise FloatingPointError for the first run that failed."""
        cdef _Runs part
        for part in parts:
            if part.status != 0:
                place = min(part.first * part.lanes + part.bad, states - 1)
                named = {"q": q_rows[place, 0], "u": u_rows[place, 0]}
                for name, rows_of in keep:
                    named[name] = rows_of[min(place, len(rows_of) - 1)]
                raise FloatingPointError(
                    f"{self.title}: {self.library.reason(part.status, named)} at batch index "
                    f"({place},)"
                )


cdef _run_parts(list parts, number):
    """All parts, on so many threads; a signal, which the main thread alone hears, ends them."""
    cdef _Runs part
    if len(parts) == 1:
        parts[0].run()
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(number) as pool:
        try:
            for _ in pool.map(_Runs.run, parts):
                pass
        except BaseException:
            for part in parts:
                part.is_stopped = True
            raise


cdef str _rollout_text(entry):
    """The documentation."""
    lines = [
        f"Many runs at once: {entry['title']}, steps of length h.",
        "",
        f"{', '.join(entry['state'])} : initial states, one in each row",
    ]
    lines += [
        f"{port['name']} : held inputs, for each state and step or what broadcasts"
        for port in _zero_order_hold(entry)
    ]
    if entry["feedback"]:
        lines += [
            "q_ref, u_ref, a_ref : references of feedback, as many as there are held inputs",
            "kp, kd : gains, one for all speeds or each its own: kp times the displacement to",
            "    q_ref and kd times u_ref - u are sampled at each step and added to tau",
        ]
    if entry["computed_torque"]:
        lines.append(
            "computed_torque : add instead the force for a_ref and these as acceleration"
        )
    z = f", z : (..., {entry['nz']})" if entry["nz"] else ""
    return "\n".join([
        *lines,
        "every : steps from one record to the next",
        "threads : at most so many, by default all cores if it is worth it",
        "returns",
        f"    q : (states, steps/every + 1, {entry['nq']}), u : (..., {entry['nu']}){z}",
    ])
