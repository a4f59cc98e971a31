// Modes of a linearization: q = q0 (+) sum eps Re(phi e^{i w t}), as large as one can see.

class Modes {
  constructor(machine, list, size) {
    this.machine = machine;
    this.list = list;
    this.size = size;
    this.chosen = new Set();
    this.origin = null;
    this.about = Float64Array.from(list[0]?.q ?? machine.first.q);
  }

  toggle(k) {
    if (!this.chosen.delete(k)) this.chosen.add(k);
    const { model } = this.machine;
    if (this.chosen.size && !this.origin) this.origin = this.machine.keep();
    if (!this.chosen.size && this.origin) {
      this.machine.take(this.origin);
      this.origin = null;
    }
    if (this.origin) this.began = model.t;
  }

  get playing() {
    return this.chosen.size > 0;
  }

  /** Displacements at a phase of a mode of unit size. */
  shape(k, phase) {
    const { re, im } = this.list[k];
    return re.map((value, i) => value * Math.cos(phase) - im[i] * Math.sin(phase));
  }

  #moved(du) {
    const { model } = this.machine;
    model.input("q").set(this.about);
    model.input("du").set(du);
    model.input("q").set(Object.values(model.call("integrate"))[0]);
    return this.machine.poses();
  }

  /** So much of a mode moves the point that moves most by eight hundredths of the size. */
  scale(k) {
    this.scales ??= [];
    if (this.scales[k]) return this.scales[k];
    const small = 1e-4;
    const still = Float64Array.from(this.#moved(this.list[k].re.map(() => 0)));
    let most = 0;
    for (const phase of [0, Math.PI / 2]) {
      const moved = this.#moved(this.shape(k, phase).map((value) => small * value));
      for (let i = 3; i < still.length; i += 12) {
        most = Math.max(most, Math.hypot(...[0, 4, 8].map((j) => moved[i + j] - still[i + j])));
      }
    }
    const turned = Math.max(...this.list[k].re.map((value, i) => Math.hypot(value, this.list[k].im[i])));
    const share = most > 1e-9 * small * this.size ? (0.08 * this.size * small) / most : 0.2 / turned;
    this.scales[k] = Math.min(share, 0.6 / turned);
    return this.scales[k];
  }

  /** Poses at a phase of one mode, as large as it is shown. */
  at(k, phase, scale = this.scale(k)) {
    return { scale, poses: Array.from(this.#moved(this.shape(k, phase).map((value) => scale * value))) };
  }

  /** Shows the chosen modes t seconds after they began; slow enough, or fast enough, to see. */
  show(t) {
    const sum = new Float64Array(this.machine.nu);
    for (const k of this.chosen) {
      const w = 2 * Math.PI * Math.min(Math.max(this.list[k].frequency, 0.3), 1.2);
      this.shape(k, w * t).forEach((value, i) => (sum[i] += this.scale(k) * value));
    }
    this.#moved(sum);
  }
}
