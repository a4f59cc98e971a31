// The panel at the side: sliders, curves, modes.

function slider({ name, unit, low, high, value, input, title }) {
  const shown = element("output");
  const range = element("input", { type: "range", min: low, max: high, step: "any", value, "aria-label": name, title });
  const write = (x) => (shown.textContent = `${figures(x)}${unit ? ` ${unit}` : ""}`);
  range.addEventListener("input", () => {
    write(Number(range.value));
    input(Number(range.value));
  });
  write(value);
  const row = element("div", { class: "row" }, element("div", { class: "name" }, element("span", { title: name }, name), shown), range);
  row.show = (x) => {
    if (document.activeElement === range && range.matches(":active")) return;
    range.value = x;
    write(x);
  };
  return row;
}

const wrapped = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

function section(title, open, ...content) {
  return element("details", { open }, element("summary", {}, title), ...content);
}

class Panel {
  constructor(app) {
    this.app = app;
    this.box = find("panel");
    this.rows = [];
    this.#build();
  }

  #build() {
    const { app } = this;
    const parts = [];
    this.plotBox = element("div");
    this.chips = element("div", { class: "chips" });
    parts.push(section("Curves", true, this.plotBox, this.chips));
    if (app.modes.list.length) parts.push(section("Modes", true, this.#modes()));
    if (app.machine.latches) parts.push(section("Latches", true, this.#latches()));
    if (app.forces.ways.length) parts.push(section("Forces", true, this.#forces()));
    const coordinates = this.#coordinates();
    if (coordinates.length) parts.push(section("Coordinates", !app.modes.list.length, ...coordinates));
    const forces = this.#inputs();
    if (forces.length) parts.push(section("Inputs and forces", false, ...forces));
    const parameters = this.#parameters();
    if (parameters.length) parts.push(section("Parameters", true, ...parameters));
    if (app.machine.model.stepping) parts.push(section("Integration", false, this.#integration()));
    this.box.replaceChildren(...parts);
    this.#choices();
  }

  #coordinates() {
    const { machine, radius } = this.app;
    const { coordinates, speeds, joints = [], deformables = [] } = machine.model.manifest.metadata;
    const q = machine.model.input("q");
    const rows = [];
    const of = new Map();
    for (const joint of joints) joint.coordinates.forEach((name, k) => of.set(name, { joint, k }));
    for (const joint of joints.filter((entry) => entry.coordinates.length !== entry.speeds.length)) rows.push(...this.#free(joint));
    coordinates.forEach((name, k) => {
      const found = of.get(name);
      if (found && found.joint.coordinates.length !== found.joint.speeds.length) return;
      if (!speeds.includes(name) && !found) return;
      const angle = found?.joint.units[found.k] === "rad";
      const bound = angle ? Math.PI : found ? radius : 0.2 * radius;
      const middle = Math.abs(q[k]) > bound && !angle ? q[k] : 0;
      const low = found?.joint.lower?.[found.k] ?? middle - bound;
      const high = found?.joint.upper?.[found.k] ?? middle + bound;
      const free = angle && low === -Math.PI && high === Math.PI;
      const row = slider({
        name, unit: angle ? "rad" : found ? "m" : "", low, high, value: q[k],
        input: (value) => this.app.setCoordinate(k, value),
      });
      this.rows.push(() => row.show(free ? wrapped(q[k]) : q[k]));
      rows.push(row);
    });
    return rows;
  }

  /** Sliders along each speed of a joint that turns freely; they go back to the middle. */
  #free(joint) {
    const { speeds } = this.app.machine.model.manifest.metadata;
    return joint.speeds.map((name) => {
      let last = 0;
      const k = speeds.indexOf(name);
      const row = slider({
        name: `along ${name}`, unit: "", low: -1, high: 1, value: 0,
        input: (value) => {
          this.app.moveAlong(k, value - last);
          last = value;
        },
      });
      row.querySelector("input").addEventListener("change", () => {
        last = 0;
        row.querySelector("input").blur();
        row.show(0);
      });
      return row;
    });
  }

  #inputs() {
    const { machine } = this.app;
    const { speeds, inputs = [], prescribed = [], joints = [] } = machine.model.manifest.metadata;
    const { units, forces } = unitsOf(machine.model.manifest.metadata);
    const limits = {};
    for (const joint of joints) joint.speeds.forEach((name, k) => (limits[name] = joint.effort_limit?.[k]));
    const rows = inputs.map((name, k) => {
      const r = machine.model.input("r");
      const bound = Math.max(10, 3 * Math.abs(r[k]));
      return slider({ name, unit: units[name] ?? "", low: -bound, high: bound, value: r[k], input: (value) => (r[k] = value) });
    });
    prescribed.forEach((name, k) => {
      const s = machine.model.input("s");
      if (s) rows.push(slider({ name, unit: units[name] ?? "", low: s[k] - Math.PI, high: s[k] + Math.PI, value: s[k], input: (value) => this.app.prescribe(k, value) }));
    });
    if (machine.model.input("tau")) {
      const scale = Math.max(1, this.app.puller ? this.app.puller.most / 10 * this.app.radius : 1);
      speeds.forEach((name, k) => {
        const bound = limits[name] ?? Number(scale.toPrecision(1));
        rows.push(slider({
          name: `force on ${name}`, unit: forces[name] ?? "", low: -bound, high: bound, value: machine.own[k],
          input: (value) => this.app.setForce(k, value),
        }));
      });
    }
    return rows;
  }

  #latches() {
    const { machine } = this.app;
    const chips = element("div", { class: "chips" });
    for (const { name } of machine.latches.told) {
      const chip = element("button", { type: "button", title: "close or open", click: () => this.app.toggleLatch(name) }, name);
      this.rows.push(() => chip.setAttribute("aria-pressed", String(machine.latches.closed.includes(name))));
      chips.append(chip);
    }
    return chips;
  }

  #parameters() {
    const { model, latches } = this.app.machine;
    const own = new Set((latches?.told ?? []).flatMap((latch) => latch.offsets));
    return (model.manifest.parameters ?? []).map((entry, k) => {
      if (own.has(entry.name)) return "";
      const value = model.input("p")[k];
      const reach = Math.abs(entry.default) || 1;
      const low = entry.default >= 0 ? 0 : -3 * reach;
      const row = slider({
        name: entry.name, unit: entry.units, low, high: 3 * reach, value, title: entry.description,
        input: (x) => this.app.setParameter(k, x),
      });
      this.rows.push(() => row.show(model.input("p")[k]));
      return row;
    });
  }

  /** The step, which may be made smaller where the motion asks for it. */
  #integration() {
    const { app } = this;
    const { machine } = app;
    const steps = [...new Set([...STEPS, machine.h])].sort((a, b) => b - a);
    const select = element("select", { "aria-label": "Step", change: () => app.setStep(Number(select.value)) },
      ...steps.map((h) => element("option", { value: h, selected: h === machine.h }, stepWords(h))));
    const { name, title } = machine.model.stepping ?? {};
    const note = `The ${title}; the same bits as simulate(method="${name}") with this step.`;
    return element("div", {}, element("div", { class: "choice" }, element("span", {}, "step"), select), element("p", { class: "note" }, note));
  }

  /** Which arrows are shown. */
  #forces() {
    const { forces } = this.app;
    const chips = element("div", { class: "chips" });
    for (const way of forces.ways) {
      const chip = element("button", { type: "button", title: "arrows of forces and moments (V)", click: () => this.app.toggleForces(way.name) }, way.words);
      this.rows.push(() => chip.setAttribute("aria-pressed", String(way.shown)));
      chips.append(chip);
    }
    const note = element("p", { class: "note" });
    this.rows.push(() => (note.textContent = forces.note));
    return element("div", {}, chips, note);
  }

  #modes() {
    const { modes } = this.app;
    const chips = element("div", { class: "chips" });
    modes.list.forEach((mode, k) => {
      const chip = element("button", {
        type: "button", "aria-pressed": "false", title: `damping ratio ${figures(mode.damping)}`,
        click: () => {
          this.app.toggleMode(k);
          chip.setAttribute("aria-pressed", String(modes.chosen.has(k)));
        },
      }, `${k + 1}: ${figures(mode.frequency)} Hz`);
      chips.append(chip);
    });
    const note = "Chosen modes are shown about the state of the linearization, several at once too; slow and fast ones at a speed that one can follow.";
    return element("div", {}, chips, element("p", { class: "note" }, note));
  }

  /** Buttons that choose the curves. */
  #choices() {
    const list = channels(this.app.machine);
    this.list = list;
    const few = list.filter((channel) => channel.kind === "coordinate").slice(0, 3);
    const balance = list.filter((channel) => channel.kind === "balance");
    const energy = list.filter((channel) => channel.name === "energy").slice(0, balance.length ? 0 : 1);
    const chosen = new Set([...few, ...energy, ...balance].map((channel) => channel.name));
    this.plots = new Plots(this.plotBox);
    const apply = () => {
      this.app.machine.watched = chosen.has("energy − work");
      this.plots.choose(list.filter((channel) => chosen.has(channel.name)));
      this.plots.add(this.app.machine.model.t);
    };
    const most = 40;
    for (const channel of list.slice(0, most)) {
      const chip = element("button", {
        type: "button", "aria-pressed": String(chosen.has(channel.name)), title: channel.title ?? channel.unit,
        click: () => {
          if (!chosen.delete(channel.name)) chosen.add(channel.name);
          chip.setAttribute("aria-pressed", String(chosen.has(channel.name)));
          apply();
        },
      }, channel.name);
      this.chips.append(chip);
    }
    if (this.app.machine.nu > 40) chosen.delete("energy − work");
    apply();
  }

  show() {
    for (const row of this.rows) row();
    this.plots.draw();
  }
}
