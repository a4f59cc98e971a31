// Latches: joints that close and open. Each set of closed latches is a module of its own, which
// steps in the place of the model.

const CARRIED = ["q", "u", "z", "tau", "r", "s", "s_rate", "s_acceleration", "p"];
const LIMITS = ["gap", "speed", "angle", "angular_speed"];
const LIMIT_UNITS = ["m", "m/s", "rad", "rad/s"];
const AWAY = 1.01; // of the largest gap, from where a latch that opened may close by itself again
const ROUNDED = 1e-9;

const setOf = (names) => [...names].sort().join("\n");

/** A latch that cannot do what it is to do. */
class LatchFailure {
  constructor(reason) {
    this.reason = reason;
  }

  words(t) {
    return `The clock has stopped at ${figures(t)} s: ${this.reason}. Reset, or change a coordinate or a speed.`;
  }
}

class Latches {
  constructor(machine, told, models) {
    Object.assign(this, { machine, told, models });
    this.begin = told.filter((latch) => latch.closed).map((latch) => latch.name);
    models.set(setOf(this.begin), machine.model);
    const { rows } = machine.model.manifest.functions.latches.outputs[0];
    this.linear = rows.map((name) => name.includes(".force"));
    this.reset();
  }

  /** The module in which the latches are as they are now. */
  get now() {
    return this.models.get(setOf(this.closed));
  }

  reset() {
    this.set(this.begin, {});
  }

  /** These are closed from now on, and hold these offsets. */
  set(closed, offsets) {
    const { model } = this.machine;
    this.closed = [...closed];
    for (const { offsets: names } of this.told) for (const name of names) model.input("p")[model.parameters.indexOf(name)] = offsets[name] ?? 0;
    this.near = new Set();
    this.before = this.measures();
    for (const latch of this.before) if (latch.excess <= 0) this.near.add(latch.name);
  }

  /** `act` on that module with the state, which it may change. */
  within(act) {
    const { model } = this.machine;
    const other = this.now;
    if (other === model) return act(model);
    for (const name of CARRIED) if (model.input(name) && other.input(name)) other.input(name).set(model.input(name));
    other.t = model.t;
    act(other);
    for (const name of ["q", "u", "z"]) if (other.input(name)) model.input(name).set(other.input(name));
    model.t = other.t;
  }

  /** Gap, turn, their rates, what exceeds a limit, and what closes and opens each latch. */
  measures() {
    const { gaps, rates, limits, events } = this.machine.model.call("latches");
    let row = 0;
    return this.told.map(({ name, offsets, given }, k) => {
      const own = offsets.map((_, i) => row + i);
      row += own.length;
      const size = (values, linear) => Math.hypot(...own.map((i) => (this.linear[i] === linear ? values[i] : 0)));
      const [turn, turning] = [size(gaps, false), size(rates, false)];
      const values = [size(gaps, true), size(rates, true), 2 * Math.atan(turn / 2), turning / (1 + (turn * turn) / 4)];
      const shares = LIMITS.map((word, i) => (given.includes(word) ? values[i] / limits[4 * k + i] - 1 : -1));
      const beyond = LIMITS.flatMap((word, i) =>
        shares[i] > ROUNDED ? [`its ${word.replace("_", " ")} is ${figures(values[i])} ${LIMIT_UNITS[i]}, more than the ${figures(limits[4 * k + i])} ${LIMIT_UNITS[i]} that it allows`] : []);
      return {
        name, given, beyond, gaps: own.map((i) => gaps[i]), excess: Math.max(...shares), away: values[0] > AWAY * limits[4 * k],
        closes: events[2 * k], opens: events[2 * k + 1],
      };
    });
  }

  /** One step, and what closes or opens behind it. */
  step(h) {
    this.within((model) => model.step(h, 1));
    const found = this.measures();
    const [opening, closing] = [[], []];
    found.forEach((latch, k) => {
      const { name, given } = latch;
      const rises = (word) => given.includes(word) && this.before[k][word] < 0 && latch[word] >= 0;
      const isClosed = this.closed.includes(name);
      if (rises("opens")) opening.push(latch);
      if (latch.away) this.near.delete(name);
      if (isClosed) return;
      if (rises("closes")) closing.push(latch);
      else if (given.includes("gap") && !given.includes("closes") && latch.excess <= 0 && !this.near.has(name)) closing.push(latch);
    });
    this.before = found;
    if (opening.length) this.open(opening);
    if (closing.length) this.close(closing);
  }

  open(latches) {
    for (const { name } of latches) {
      if (!this.closed.includes(name)) throw new LatchFailure(`latch ${name} is to open, but it is not closed`);
      this.near.add(name);
    }
    this.closed = this.closed.filter((name) => !latches.some((latch) => latch.name === name));
  }

  /** The speeds jump to the nearest ones by kinetic energy that satisfy all constraints. */
  close(latches) {
    const { model } = this.machine;
    for (const { name, beyond } of latches) if (beyond.length) throw new LatchFailure(`latch ${name} cannot close: ${beyond.join("; ")}`);
    const names = latches.map(({ name }) => name);
    const closed = [...this.closed, ...names];
    if (!this.models.has(setOf(closed))) throw new LatchFailure(`latch ${names.join(", ")} cannot close: it would make a redundant loop`);
    for (const { name, gaps } of latches) {
      const { offsets } = this.told.find((entry) => entry.name === name);
      offsets.forEach((offset, i) => (model.input("p")[model.parameters.indexOf(offset)] = gaps[i]));
    }
    this.closed = closed;
    this.within((own) => {
      const [du] = Object.values(own.call("velocity_correction"));
      du.forEach((change, k) => (own.input("u")[k] += change));
    });
  }

  /** By hand: opens a latch that is closed, closes one that is open. */
  toggle(name) {
    const latch = this.measures().find((entry) => entry.name === name);
    if (this.closed.includes(name)) this.open([latch]);
    else this.close([latch]);
    this.before = this.measures();
  }
}

/** The latches of a model with the modules that a page carries; null without any. */
async function latchesOf(machine, configurations = []) {
  const { latches: told } = machine.model.manifest.metadata;
  if (!told) return null;
  const models = new Map();
  for (const { closed, manifest, wasm } of configurations) models.set(setOf(closed), await loadModel(await unpacked(wasm), manifest));
  return new Latches(machine, told, models);
}
