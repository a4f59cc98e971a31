// A recorded run: its rows at their own times, on the manifold between them.

async function recorded(run) {
  if (!run) return null;
  const found = {};
  for (const [name, { width, data }] of Object.entries(run)) {
    const bytes = await unpacked(data);
    found[name] = { width, rows: new Float64Array(bytes.buffer) };
  }
  return found;
}

// What follows the coordinates; some of it is there only for arrows of forces.
const FOLLOWING = ["u", "z", "s", "tau", "r", "s_rate", "s_acceleration"];

class Replay {
  constructor(machine, run) {
    this.machine = machine;
    this.run = run;
    this.times = run.t.rows;
    this.count = this.times.length;
  }

  get begin() {
    return this.times[0];
  }

  get end() {
    return this.times[this.count - 1];
  }

  #row(name, k) {
    const { width, rows } = this.run[name];
    return rows.subarray(width * k, width * (k + 1));
  }

  /** The state of row k, to the last bit. */
  row(k) {
    const { model } = this.machine;
    for (const name of ["q", ...FOLLOWING]) if (this.run[name] && model.input(name)) model.input(name).set(this.#row(name, k));
    model.t = this.times[k];
  }

  /** The state at a time; between rows along the shortest way. */
  at(t) {
    let [low, high] = [0, this.count - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle;
    }
    if (t >= this.end) return this.row(this.count - 1);
    this.row(low);
    const share = Math.max(t - this.times[low], 0) / (this.times[high] - this.times[low]);
    if (!(share > 0)) return;
    const { model } = this.machine;
    const q = model.input("q");
    model.input("q0").set(this.#row("q", low));
    model.input("q1").set(this.#row("q", high));
    const step = Object.values(model.call("difference"))[0];
    model.input("du").set(step.map((value) => value * share));
    q.set(Object.values(model.call("integrate"))[0]);
    for (const name of FOLLOWING) {
      if (!this.run[name] || !model.input(name)) continue;
      const [a, b] = [this.#row(name, low), this.#row(name, high)];
      model.input(name).set(a.map((value, k) => value + share * (b[k] - value)));
    }
    model.t = t;
  }
}
