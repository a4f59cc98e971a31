// The model and its clock: states, steps, energies.

const ORDINARY = 1e-3; // step where nothing asks for another one [s]
const RUNAWAY = 1e20; // entries of a state that no model has: steps were too large for it

/** A step after which a state is not a number any more. */
class NotANumber {
  constructor(name, still) {
    this.name = name;
    /** Whether the equations have no finite rates there, so that no step is small enough. */
    this.still = still;
  }

  words(t, h) {
    const at = `The clock has stopped at ${figures(t)} s: ${this.name} is not a number any more`;
    if (this.still) return `${at}, at any step. The equations have no finite accelerations there: change a coordinate, a parameter or what is prescribed, or reset.`;
    return `${at}. Reset and take smaller steps than ${stepWords(h)}.`;
  }
}

class Machine {
  constructor(model, data) {
    this.model = model;
    this.frames = data.scene.poses.rows;
    this.h = data.step ?? ORDINARY;
    this.start = data.start;
    if (data.method) model.stepBy(data.method);
    this.constrained = Boolean(model.solver("project"));
    this.listeners = [];
    for (const [name, values] of Object.entries(data.start)) {
      const place = model.input(name);
      if (place) place.set(values);
    }
    this.latches = null;
    this.project();
    this.neutral = Float64Array.from(model.input("q"));
    this.state = model.input("u");
    this.nu = model.manifest.functions.coordinate_rates.inputs[1].shape[0];
    this.own = new Float64Array(this.nu);
    if (model.input("tau")) this.own.set(model.input("tau").subarray(0, this.nu));
    this.pulls = [];
    this.first = this.keep();
    this.restart();
    if (data.step == null && !data.method) this.h = steadyStep(this, ORDINARY);
  }

  /** A copy of the state. */
  keep() {
    const kept = { t: this.model.t };
    for (const name of ["q", "u", "z"]) {
      const values = this.model.input(name);
      if (values) kept[name] = Float64Array.from(values);
    }
    return kept;
  }

  take(kept) {
    this.model.t = kept.t ?? this.model.t;
    for (const name of ["q", "u", "z"]) if (kept[name] && this.model.input(name)) this.model.input(name).set(kept[name]);
  }

  reset() {
    this.pulls = [];
    this.failure = null;
    this.take(this.first);
    this.latches?.reset();
    this.project();
    this.restart();
  }

  /** Back onto the constraints. */
  project() {
    if (this.latches?.closed.length) this.latches.within((model) => model.project());
    else if (this.constrained) this.model.project();
  }

  /** Energies are told from here on. */
  restart() {
    this.work = 0;
    this.pulled = 0;
    try {
      this.begin = this.energy();
    } catch {
      this.begin = NaN;
    }
    this.rate = this.#rates();
  }

  energy() {
    const { model } = this;
    const of = (name) => (model.has(name) ? model.value(name) : 0);
    return of("kinetic_energy") + of("potential_energy");
  }

  /** Power of all that has no potential: what acts by itself and tau, and of this the mouse. */
  #rates() {
    const u = this.model.input("u");
    let mouse = 0;
    if (this.drag) this.drag.forEach((force, k) => (mouse += force * u[k]));
    try {
      const all = this.model.has("power") ? this.model.value("power") : NaN;
      return { own: all - mouse, mouse };
    } catch {
      return { own: NaN, mouse };
    }
  }

  /** The first entry of the state that is not a finite number, or null. */
  lost() {
    const { coordinates, speeds, element_states: states = [] } = this.model.manifest.metadata;
    const names = { q: coordinates, u: speeds.map((name) => `the speed of ${name}`), z: states.map((entry) => entry.name) };
    for (const [part, list] of Object.entries(names)) {
      const values = this.model.input(part);
      const k = values ? list.findIndex((_, i) => !Number.isFinite(values[i])) : -1;
      if (k >= 0) return list[k];
    }
    return null;
  }

  /** So many steps of the integrator; stops before the one after which a state is not a number. */
  #steps(count) {
    const { model } = this;
    if (this.latches) {
      for (let n = 0; n < count; n++) this.latches.step(this.h);
      return;
    }
    const kept = this.keep();
    model.step(this.h, count);
    if (this.lost() === null) return;
    this.take(kept);
    let last = kept;
    for (let n = 0; n < count; n++) {
      last = this.keep();
      model.step(this.h, 1);
      if (this.lost() !== null) break;
    }
    const name = this.lost();
    this.take(last);
    model.step(1e-6 * this.h, 1);
    const grown = Math.max(...["q", "u", "z"].flatMap((part) => Array.from(last[part] ?? [], Math.abs))) > RUNAWAY;
    const still = this.lost() !== null && !grown;
    this.take(last);
    this.failure = new NotANumber(name, still);
  }

  /** Advances so many steps; forces of `pulls` follow the state from step to step. */
  advance(count) {
    if (this.failure) return;
    const { model } = this;
    const tau = model.input("tau");
    try {
      if (!this.pulls.length && !this.watched) {
        this.drag = null;
        tau.set(this.own);
        this.#steps(count);
        return;
      }
      for (let n = 0; n < count && !this.failure; n++) {
        tau.set(this.own);
        this.drag = this.pulls.length ? new Float64Array(this.nu) : null;
        for (const pull of this.pulls) pull(this.drag);
        if (this.drag) for (let k = 0; k < this.nu; k++) tau[k] += this.drag[k];
        const before = this.watched || this.drag ? this.#rates() : null;
        this.#steps(1);
        if (before) {
          const after = this.#rates();
          this.#account(before, after);
        }
      }
      tau.set(this.own);
    } catch (error) {
      if (!(error instanceof ModelFailure || error.words)) throw error;
      this.failure = error;
    }
  }

  /** Work of a step; of two steps in a row by Simpson's rule, so that it errs less than the steps do. */
  #account(before, after) {
    const { h } = this;
    const mouse = (h * (before.mouse + after.mouse)) / 2;
    this.pulled += mouse;
    this.work += mouse;
    const half = (h * (before.own + after.own)) / 2;
    if (this.half && this.half.end === before.own) {
      this.work += (h * (this.half.start + 4 * before.own + after.own)) / 3 - this.half.work;
      this.half = null;
    } else {
      this.half = { start: before.own, end: after.own, work: half };
      this.work += half;
    }
  }

  /** Forces on the speeds as they would act now. */
  forces() {
    return Float64Array.from(this.model.input("tau").subarray(0, this.nu));
  }

  /** The largest residual of the constraints, in their own units. */
  residual() {
    const model = this.latches?.now ?? this.model;
    const name = model.has("closure_residual") ? "closure_residual" : "constraint_residual";
    if (!model.has(name)) return 0;
    const [rows] = Object.values(model.call(name));
    return rows.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  }

  poses() {
    return this.model.call("poses").poses;
  }

  /** The mean of the places of all bodies. */
  middle() {
    const rows = this.poses();
    const count = rows.length / 12;
    const mean = [0, 0, 0];
    for (let k = 0; k < count; k++) for (let i = 0; i < 3; i++) mean[i] += rows[12 * k + 4 * i + 3] / count;
    return mean;
  }

  /** Points that a function tells of lines in the picture. */
  points({ function: name, first, count }) {
    const [rows] = Object.values(this.model.call(name));
    return Array.from({ length: count }, (_, k) => Array.from(rows.subarray(3 * (first + k), 3 * (first + k) + 3)));
  }
}
