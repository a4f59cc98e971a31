/**
 * Functions of a model in WebAssembly, called by the names of its manifest.
 *
 *     const model = await loadModel(bytes, manifest);
 *     model.input("q").set([0.1, 0.2]);
 *     model.call("forward_dynamics");        // Float64Arrays of the outputs, by name
 *     model.rk4(1e-3, 10);                   // advances q and u in place
 *
 * One array an input, shared by all functions: what one call leaves in q the next one reads.
 */

const PAGE = 65536;
const SOLVE = [100, 1e-9, 1e-2, 1, 0]; // sweeps, tolerance, residual, Newton, relaxed

export async function loadModel(bytes, manifest) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Model(instance.exports, manifest);
}

const size = (shape) => shape.reduce((a, b) => a * b, 1);

export class Model {
  constructor(exports, manifest) {
    this.exports = exports;
    this.manifest = manifest;
    this.memory = exports.memory;
    this.top = exports.__heap_base.value;
    const parameters = manifest.parameters ?? [];
    this.parameters = parameters.map((entry) => entry.name);
    const lengths = { p: Math.max(parameters.length, 1) };
    for (const entry of Object.values(manifest.functions)) {
      for (const port of entry.inputs) lengths[port.name] = size(port.shape);
    }
    lengths.order = lengths.u ?? 0;
    // Steps with contacts keep impulses where others keep states of elements.
    const contacts = (manifest.integrators ?? []).find((entry) => entry.contacts);
    const states = contacts ? contacts.nz : (manifest.metadata.element_states ?? []).length;
    if (contacts) Object.assign(lengths, { z: states, settings: SOLVE.length });
    const places = {};
    // Everything is laid out before the memory grows: growing detaches arrays.
    for (const [name, length] of Object.entries(lengths)) {
      const behind = name === "u" ? states : 0;
      places[name] = this.#reserve(8 * Math.max(length + behind, 1));
    }
    if (states) places.z = places.u + 8 * lengths.u;
    const results = {};
    for (const [name, entry] of Object.entries(manifest.functions)) {
      results[name] = entry.outputs.map((port) => this.#reserve(8 * Math.max(size(port.shape), 1)));
    }
    this.scratch = this.#reserve(64);
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    const reals = (place, length) => new Float64Array(this.memory.buffer, place, length);
    this.places = places;
    this.inputs = {};
    for (const [name, length] of Object.entries(lengths)) this.inputs[name] = reals(places[name], length);
    this.order = new Int32Array(this.memory.buffer, places.order, lengths.order);
    this.functions = {};
    for (const [name, entry] of Object.entries(manifest.functions)) {
      const outputs = {};
      entry.outputs.forEach((port, k) => {
        outputs[port.name] = reals(results[name][k], size(port.shape));
      });
      this.functions[name] = { entry, outputs, places: results[name], run: exports[entry.symbol] };
    }
    this.stepBy(contacts ? contacts.name : "rk4");
    if (contacts) this.inputs.settings.set(SOLVE);
    parameters.forEach((entry, k) => (this.inputs.p[k] = entry.default));
    (manifest.metadata.element_states ?? []).forEach((entry, k) => (this.inputs.z[k] = entry.initial));
    this.t = 0;
    this.codes = {};
    for (const [name, code] of Object.entries(manifest.return_codes ?? {})) this.codes[code] = name;
  }

  #reserve(bytes) {
    const place = (this.top + 15) & ~15;
    this.top = place + bytes;
    return place;
  }

  has(name) {
    return name in this.functions;
  }

  input(name) {
    return this.inputs[name];
  }

  /** Arguments by name; the time by value, the parameters behind those of the equations. */
  #arguments(names, own = []) {
    const list = names
      .filter((name) => !own.includes(name))
      .map((name) => (name === "t" ? this.t : this.places[name]));
    return this.parameters.length ? [...list, this.places.p] : list;
  }

  #check(code, name) {
    if (code !== 0) throw new ModelFailure(this.codes[code] ?? `code ${code}`, name);
  }

  call(name) {
    const { entry, outputs, places, run } = this.functions[name];
    const given = this.#arguments(entry.inputs.map((port) => port.name));
    this.#check(run(...given, ...places), name);
    return outputs;
  }

  /** The only number of the first output of a function. */
  value(name) {
    return Object.values(this.call(name))[0][0];
  }

  /** Chooses the integrator of `step`. */
  stepBy(name) {
    this.stepping = (this.manifest.integrators ?? []).find((entry) => entry.name === name);
  }

  rk4(h, steps) {
    this.stepBy("rk4");
    this.step(h, steps);
  }

  /** Advances q, u and z in place. */
  step(h, steps) {
    const { inputs, symbol, name } = this.stepping;
    const timed = inputs.includes("t") ? [this.t] : [];
    const given = this.#arguments(inputs, ["t", "z"]);
    this.#check(this.exports[symbol](...given, ...timed, h, steps), name);
    this.t += h * steps;
  }

  solver(name) {
    return (this.manifest.solvers ?? []).find((entry) => entry.name === name);
  }

  /** Calls a solver of constraints: its arrays, p, the order of speeds, and what is `more`. */
  solve(name, more = []) {
    const { inputs, symbol } = this.solver(name);
    const order = inputs.includes("order") ? [this.places.order] : [];
    const given = this.#arguments(inputs, ["order"]);
    this.#check(this.exports[symbol](...given, ...order, ...more), name);
  }

  /** Speeds in an order whose first ones are independent of the constraints; their number. */
  independent() {
    const { symbol, inputs } = this.solver("independent_speeds");
    const given = this.#arguments(inputs);
    this.#check(this.exports[symbol](...given, this.places.order, this.scratch), "independent_speeds");
    return this.order.length - new Int32Array(this.memory.buffer, this.scratch, 1)[0];
  }

  project() {
    this.solve("project", [0, 20]);
  }
}

export class ModelFailure extends Error {
  constructor(code, where) {
    super(`${code} in ${where}`);
    this.code = code;
    this.where = where;
  }
}
