// Forces at points of bodies: what the mouse does, as tau = sum J^T F without any Jacobian.

class Puller {
  constructor(machine) {
    this.machine = machine;
    this.model = machine.model;
    const { rows } = this.model.manifest.functions.pull.inputs.find((port) => port.name === "wrench");
    this.bodies = rows;
    this.frames = machine.frames;
    const weight = (this.model.manifest.metadata.bodies ?? []).reduce((sum, body) => sum + body.mass, 0) * 9.81;
    this.most = 10 * Math.max(weight, 1e-3);
  }

  /** Pose of a body now: rows of three by four numbers. */
  #pose(body) {
    const k = this.frames.indexOf(body);
    return this.machine.poses().subarray(12 * k, 12 * k + 12);
  }

  place(body, at) {
    const p = this.#pose(body);
    return [0, 1, 2].map((i) => p[4 * i] * at[0] + p[4 * i + 1] * at[1] + p[4 * i + 2] * at[2] + p[4 * i + 3]);
  }

  /** Generalized forces of a force [N] at a point of a body, world axes. */
  forces(body, at, force) {
    const p = this.#pose(body);
    const place = this.place(body, at);
    const arm = [0, 1, 2].map((i) => place[i] - p[4 * i + 3]);
    const wrench = this.model.input("wrench");
    wrench.fill(0);
    wrench.set([...force, ...cross(arm, force)], 6 * this.bodies.indexOf(body));
    return Object.values(this.model.call("pull"))[0];
  }

  /** Velocity of a point: J u by the same function. */
  velocity(body, at) {
    const u = this.model.input("u");
    return [0, 1, 2].map((axis) => {
      const unit = [0, 0, 0];
      unit[axis] = 1;
      return this.forces(body, at, unit).reduce((sum, value, k) => sum + value * u[k], 0);
    });
  }

  /** Mass that a force along a direction feels there. */
  mass(body, at, direction) {
    const along = Float64Array.from(this.forces(body, at, direction));
    const tau = this.model.input("tau");
    const kept = Float64Array.from(tau);
    const free = Float64Array.from(Object.values(this.model.call("forward_dynamics"))[0]);
    along.forEach((value, k) => (tau[k] += value));
    const pushed = Object.values(this.model.call("forward_dynamics"))[0];
    const response = along.reduce((sum, value, k) => sum + value * (pushed[k] - free[k]), 0);
    tau.set(kept);
    return response > 1e-12 ? 1 / response : 0;
  }

  /** A spring and a damper from a point of a body to a target that may be moved. */
  spring({ body, at, target, stiffness, damping }) {
    const held = { body, at, target, force: [0, 0, 0] };
    let before = null;
    if (stiffness == null) {
      const mean = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => this.mass(body, at, axis)).filter((m) => m > 0);
      const mass = mean.length ? Math.min(...mean) : 1;
      stiffness = 100 * mass;
      damping = 20 * mass;
    }
    Object.assign(held, { stiffness, damping: damping ?? 0 });
    const pull = (tau) => {
      const place = this.place(body, at);
      const v = this.velocity(body, at);
      if (this.machine.afar) {
        // The hand goes along with the model, which is underway as a whole.
        const middle = this.machine.middle();
        const moved = before ? middle.map((x, i) => x - before[i]) : null;
        before = middle;
        if (!moved) v.fill(0);
        else moved.forEach((x, i) => ((held.target[i] += x), (v[i] -= x / this.machine.h)));
      }
      const force = [0, 1, 2].map((i) => held.stiffness * (held.target[i] - place[i]) - held.damping * v[i]);
      const size = Math.hypot(...force);
      const share = size > this.most ? this.most / size : 1;
      held.force = force.map((f) => f * share);
      this.forces(body, at, held.force).forEach((value, k) => (tau[k] += value));
    };
    this.machine.pulls = [pull];
    this.held = held;
    return held;
  }

  release() {
    this.machine.pulls = [];
    this.machine.drag = null;
    this.machine.model.input("tau").set(this.machine.own);
    this.held = null;
  }
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
