// The page: it starts here. `window.live` is for tests and for those who look under the hood.

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
const LONGEST_FRAME = 0.05;
const BUDGET = 12;
const FAR = 1e3; // sizes of the model
const LOW = 0.3; // of the height at the start, how high the base is of what stands on it
const SEEN = 1.3; // of its size at the start, how far what stands on a base is looked at

class App {
  constructor(machine, stage, data, run) {
    Object.assign(this, { machine, stage, data, canvas: stage.canvas, playing: false, speed: 1, rest: 0 });
    this.puller = machine.model.has("pull") && machine.model.has("forward_dynamics") ? new Puller(machine) : null;
    this.replay = run ? new Replay(machine, run) : null;
    this.replaying = machine.replaying = Boolean(run);
    this.#measure();
    this.modes = new Modes(machine, data.modes, this.radius);
    this.hand = new Arrow("#d1495b", 0.008 * this.radius);
    stage.scene.add(this.hand.object);
    this.forces = new Forces(machine, stage, this.radius);
    this.panel = new Panel(this);
    this.#bar();
    this.#theme();
    listen(this);
    listenPointer(this);
    const wide = innerWidth > 700;
    this.togglePanel(wide && new URLSearchParams(location.hash.slice(1)).get("panel") !== "closed");
    find("panel").hidden = find("bar").hidden = false;
    find("panel").hidden = !this.open;
    addEventListener("resize", () => this.fit());
    if (this.replaying) this.replay.row(0);
    this.pace = new Pace(machine);
    this.last = null;
    this.show();
    this.#embedded();
    requestAnimationFrame((now) => this.#frame(now));
    if (!new URLSearchParams(location.hash.slice(1)).has("pause") && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(true);
  }

  /** A ball that holds the start and the first seconds of the motion. */
  #measure() {
    const { machine, stage } = this;
    const box = new THREE.Box3();
    const corners = [];
    const part = new THREE.Box3();
    const look = () => {
      this.#draw();
      stage.scene.updateMatrixWorld(true);
      for (const group of [...stage.groups, ...(stage.afar ? [] : stage.world.children)]) {
        if (part.makeEmpty().expandByObject(group).isEmpty()) continue;
        box.union(part);
        corners.push(...cornersOf(part));
      }
      for (const line of stage.moving) {
        if (line.points) corners.push(...machine.points(line.points).map((p) => stage.near(p)));
      }
    };
    look();
    if (this.#isFar()) {
      stage.goAlong();
      machine.afar = true;
      corners.length = 0;
      box.makeEmpty();
      look();
    }
    const first = [...corners];
    box.setFromPoints(corners);
    const own = box.getBoundingSphere(new THREE.Sphere()).radius;
    const far = box.clone().expandByScalar(2 * own);
    if (this.replay) {
      for (let k = 0; k < 24; k++) {
        this.replay.row(Math.round((k * (this.replay.count - 1)) / 23));
        look();
      }
      machine.take(machine.first);
    } else if (machine.model.stepping) {
      const count = Math.max(4, Math.min(40, Math.round(400 / machine.nu)));
      for (let k = 0; k < count && !machine.failure; k++) {
        machine.advance(Math.max(1, Math.round(0.05 / machine.h)));
        look();
      }
      machine.reset();
    }
    // Who travels is looked at where it starts.
    let near = corners.every((p) => far.containsPoint(p)) ? corners : first;
    box.setFromPoints(first);
    // What stands on its base has the floor there, however far it falls when nothing drives it.
    const base = new THREE.Box3().setFromObject(stage.world);
    const { min, max } = box;
    const stands = !stage.afar && !base.isEmpty() && base.min.z < min.z + LOW * (max.z - min.z);
    const floor = stands ? (min.z > 0 && min.z < own ? 0 : min.z) : null;
    if (stands) near = near.filter((p) => p.z >= floor);
    const still = box.getCenter(new THREE.Vector3());
    const center = box.setFromPoints(near).getCenter(new THREE.Vector3());
    this.radius = Math.max(...near.map((p) => p.distanceTo(center)), 1e-6);
    if (stands && !this.replay && this.radius > SEEN * own) {
      this.radius = SEEN * own;
      center.copy(still);
    }
    stage.measure(center, this.radius, (floor ?? box.min.z) - 0.01 * this.radius);
  }

  /** Whether it is so far from the world's origin that single precision would show: in orbit. */
  #isFar() {
    const box = new THREE.Box3();
    for (const group of this.stage.groups) box.expandByObject(group);
    if (box.isEmpty()) return false;
    const { center, radius } = box.getBoundingSphere(new THREE.Sphere());
    return center.length() > FAR * Math.max(radius, 1e-6);
  }

  #theme() {
    const asked = new URLSearchParams(location.hash.slice(1)).get("theme");
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.theme = asked === "dark" || asked === "light" ? asked : dark.matches ? "dark" : "light";
    dark.addEventListener("change", (event) => this.setTheme(event.matches ? "dark" : "light"));
    this.setTheme(this.theme);
  }

  /** In a frame: still while it is out of sight, dark and light as the page around it says. */
  #embedded() {
    this.seen = true;
    new IntersectionObserver(([entry]) => (this.seen = entry.isIntersecting)).observe(this.canvas);
    addEventListener("message", ({ data }) => {
      if (data?.theme === "dark" || data?.theme === "light") this.setTheme(data.theme);
    });
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.stage.theme(name);
    this.show();
  }

  toggleTheme() {
    this.setTheme(this.theme === "dark" ? "light" : "dark");
  }

  togglePanel(open = !this.open) {
    this.open = open;
    find("panel").hidden = !open;
    document.body.classList.toggle("open", open);
    this.fit();
  }

  fit() {
    const panel = find("panel").getBoundingClientRect();
    const narrow = innerWidth <= 700;
    const right = this.open && !narrow ? panel.width + 12 : 0;
    const bottom = this.open && narrow ? panel.height + 66 : 66;
    this.stage.fit({ right, bottom, top: 20 });
    this.show();
  }

  #bar() {
    const { machine } = this;
    const button = (name, title, click, main) => {
      const made = element("button", { type: "button", title, "aria-label": title, class: main ? "main" : null, click }, icon(name));
      return made;
    };
    this.playButton = button("play", "Play or pause (space)", () => this.play(!this.playing), true);
    this.clock = element("span", { class: "clock" });
    this.speeds = element("select", { "aria-label": "Speed", title: "Speed", change: () => (this.speed = Number(this.speeds.value)) },
      ...SPEEDS.map((value) => element("option", { value, selected: value === 1 }, `${value}×`)));
    const parts = [
      button("reset", "Reset (R)", () => this.reset()),
      this.playButton,
      button("step", "One step (→)", () => this.single()),
      this.speeds,
      this.clock,
    ];
    if (this.replay) {
      this.scrub = element("input", {
        type: "range", min: this.replay.begin, max: this.replay.end, step: "any", value: this.replay.begin, "aria-label": "Time of the recording",
        input: () => {
          this.replaying = machine.replaying = true;
          this.replay.at(Number(this.scrub.value));
          this.show();
        },
      });
      this.source = element("button", { type: "button", title: "Integrate from here, or show the recording", click: () => this.setReplaying(!this.replaying) });
      parts.splice(4, 0, this.scrub, this.source);
    }
    parts.push(button("panel", "Panel (P)", () => this.togglePanel()), button("theme", "Dark or light (T)", () => this.toggleTheme()));
    find("bar").replaceChildren(...parts);
  }

  setReplaying(on) {
    this.replaying = this.machine.replaying = on;
    if (!on) {
      const found = (this.data.stretches ?? []).findLast(([t]) => t < this.machine.model.t);
      if (found) this.machine.latches.set(found[1], found[2]);
      this.machine.restart();
    }
    this.panel.plots.clear();
    this.show();
  }

  play(on) {
    this.playing = on && !this.machine.failure;
    this.last = null;
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.show();
  }

  single() {
    this.play(false);
    this.advance(1);
    this.show();
  }

  setStep(h) {
    this.machine.h = h;
    this.rest = 0;
    this.pace = new Pace(this.machine);
    this.show();
  }

  faster(way) {
    const k = SPEEDS.indexOf(this.speed) + way;
    this.speed = SPEEDS[Math.min(Math.max(k, 0), SPEEDS.length - 1)];
    this.speeds.value = this.speed;
  }

  reset() {
    tell("");
    this.machine.reset();
    if (this.replaying) this.replay.row(0);
    this.panel.plots.clear();
    this.show();
  }

  /** Steps of the clock, in the model or in the recording. */
  advance(count) {
    const { machine } = this;
    if (this.replaying) {
      const next = machine.model.t + count * machine.h;
      this.replay.at(next > this.replay.end ? this.replay.begin : next);
      return;
    }
    machine.advance(count);
    this.#failed();
  }

  #failed() {
    const { failure } = this.machine;
    if (!failure) return;
    this.play(false);
    if (failure.words) return tell(failure.words(this.machine.model.t, this.machine.h));
    const words = failure.code.replaceAll("_", " ");
    tell(`The clock has stopped at ${figures(this.machine.model.t)} s: ${words} (${failure.code} in ${failure.where}). Reset, or change a parameter or a coordinate.`);
  }

  setCoordinate(k, value) {
    if (this.replaying) this.setReplaying(false);
    const held = setCoordinate(this.machine, k, value);
    const name = this.machine.model.manifest.metadata.coordinates[k];
    tell(held ? "" : `${name} cannot be set to ${figures(value)}: the loops do not close there.`);
    this.panel.plots.clear();
    this.show();
    return held;
  }

  moveAlong(k, amount) {
    moveAlong(this.machine, k, amount);
    this.show();
  }

  setForce(k, value) {
    this.machine.own[k] = value;
    this.machine.model.input("tau").set(this.machine.own);
  }

  setParameter(k, value) {
    this.machine.model.input("p")[k] = value;
    this.machine.failure = null;
    tell("");
    try {
      this.machine.project();
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      this.machine.failure = error;
    }
    this.machine.restart();
    this.#failed();
    this.show();
  }

  prescribe(k, value) {
    this.machine.model.input("s")[k] = value;
    this.machine.project();
    this.machine.restart();
    this.show();
  }

  toggleLatch(name) {
    if (this.replaying) this.setReplaying(false);
    tell("");
    try {
      this.machine.latches.toggle(name);
    } catch (error) {
      if (!(error instanceof LatchFailure)) throw error;
      tell(error.reason);
    }
    this.machine.restart();
    this.show();
  }

  toggleForces(name) {
    const { ways } = this.forces;
    const shown = ways.some((way) => way.shown);
    for (const way of ways) if (!name || way.name === name) way.shown = name ? !way.shown : !shown;
    this.show();
  }

  toggleMode(k) {
    this.modes.toggle(k);
    this.began = performance.now();
    this.show();
  }

  #frame(now) {
    requestAnimationFrame((next) => this.#frame(next));
    const wall = this.last === null ? 0 : (now - this.last) / 1000;
    this.last = now;
    if (!this.seen) return;
    if (this.modes.playing) {
      this.modes.show((now - this.began) / 1000);
      this.show();
    } else if (this.playing && wall > 0) {
      this.#run(Math.min(wall, LONGEST_FRAME));
      this.show();
    }
    if (this.dirty) this.#render();
  }

  /** As many steps as the time asks for, and not more than a frame can bear. */
  #run(wall) {
    const { machine } = this;
    this.rest += wall * this.speed;
    let count = Math.floor(this.rest / machine.h);
    this.rest -= count * machine.h;
    if (this.replaying) return this.advance(count);
    const { cost } = this.pace;
    const most = cost ? Math.max(1, Math.floor(BUDGET / cost)) : 50;
    this.late = count > most;
    count = Math.min(count, most);
    const began = performance.now();
    this.advance(count);
    this.pace.add(count, performance.now() - began);
  }

  #draw() {
    this.stage.pose(this.machine.poses());
    this.stage.stretch((points) => this.machine.points(points));
  }

  /** Picture, clock and panel as the state is now. */
  show() {
    this.dirty = true;
  }

  #render() {
    this.dirty = false;
    const { machine, stage } = this;
    this.#draw();
    stage.follow();
    const { held } = this.puller ?? {};
    if (held) this.hand.set(stage.point(held.body, held.at), stage.near(held.target));
    else this.hand.object.visible = false;
    this.forces.show();
    stage.render();
    this.clock.textContent = `${machine.model.t.toFixed(2)} s`;
    this.#tellPace();
    if (this.scrub && this.replaying) this.scrub.value = machine.model.t;
    if (this.source) this.source.textContent = this.replaying ? "Recording" : "Live";
    if (!this.modes.playing) this.panel.plots.add(machine.model.t);
    this.panel.show();
  }

  /** How fast the steps are here, and whether that is too slow for the speed that is asked for. */
  #tellPace() {
    const { factor } = this.pace;
    const steps = this.machine.h === ORDINARY ? "" : `, steps of ${stepWords(this.machine.h)}`;
    const late = this.late && this.playing && !this.replaying;
    find("pace").textContent = factor ? `${figures(factor, 2)}× real time${steps}${late ? ", slower than asked for" : ""}` : "";
  }

  /** Everything drawn now, not with the next frame. */
  now() {
    this.#render();
  }
}

function cornersOf({ min, max }) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
}

const INDEX = (names, name) => {
  const k = names.indexOf(name);
  if (k < 0) throw new Error(`no ${name}; there are ${names.join(", ")}`);
  return k;
};

function hook(app) {
  const { machine, stage } = app;
  const { metadata } = machine.model.manifest;
  const parameters = machine.model.parameters;
  const list = (name) => Array.from(machine.model.input(name) ?? []);
  return {
    name: metadata.model,
    frames: machine.frames,
    state: () => ({ t: machine.model.t, q: list("q"), u: list("u").slice(0, machine.nu), z: list("z"), p: list("p"), tau: Array.from(machine.forces()) }),
    set(values) {
      for (const [name, numbers] of Object.entries(values)) {
        if (name === "t") machine.model.t = numbers;
        else machine.model.input(name).set(numbers);
      }
      machine.failure = null;
      machine.restart();
      app.now();
    },
    steps(count) {
      app.play(false);
      app.advance(count);
      app.now();
    },
    step: () => machine.h,
    setStep: (h) => app.setStep(h),
    play: (on) => app.play(on),
    playing: () => app.playing,
    reset: () => (app.reset(), app.now()),
    poses: () => Array.from(machine.poses()),
    camera: () => ({
      view: stage.camera.matrixWorldInverse.toArray(), projection: stage.camera.projectionMatrix.toArray(),
      width: stage.canvas.clientWidth, height: stage.canvas.clientHeight, origin: stage.origin.toArray(),
    }),
    project: (p) => stage.project(p),
    energy: () => ({ now: machine.energy(), start: machine.begin, work: machine.work, pulled: machine.pulled }),
    residual: () => machine.residual(),
    pick: (x, y) => {
      const hit = stage.pick(x, y);
      return hit && { body: hit.body, at: hit.at };
    },
    place: (body, at) => app.puller.place(body, at),
    drag: (given) => {
      machine.watched = true;
      app.puller.spring(given);
      return { stiffness: app.puller.held.stiffness, damping: app.puller.held.damping };
    },
    release: () => app.puller.release(),
    setCoordinate: (name, value) => app.setCoordinate(INDEX(metadata.coordinates, name), value),
    setParameter: (name, value) => (app.setParameter(INDEX(parameters, name), value), app.now()),
    setForce: (name, value) => app.setForce(INDEX(metadata.speeds, name), value),
    closed: () => machine.latches?.closed ?? [],
    toggleLatch: (name) => (app.toggleLatch(name), app.now()),
    setTheme: (name) => (app.setTheme(name), app.now()),
    replayTo: (t) => {
      app.replaying = machine.replaying = true;
      app.replay.at(t);
      app.now();
    },
    mode: (k, on = true) => {
      if (app.modes.chosen.has(k) !== on) app.toggleMode(k);
    },
    /** Poses at a phase of one mode, so much of it as is shown or as is asked for. */
    modePoses: (k, phase, asked) => {
      const kept = machine.keep();
      const { scale, poses } = app.modes.at(k, phase, asked);
      machine.take(kept);
      return { scale, poses };
    },
    /** Rows of place, force and moment of one kind, "acting" or "joints". */
    forces: (name) => Array.from(app.forces.rows(app.forces.ways.find((way) => way.name === name))),
    toggleForces: (name) => (app.toggleForces(name), app.now()),
    message: () => find("message").textContent,
    bounds() {
      stage.scene.updateMatrixWorld(true);
      const box = new THREE.Box3();
      for (const group of stage.groups) box.expandByObject(group);
      return cornersOf(box).map((p) => stage.pixels(p));
    },
    free: () => {
      const panel = find("panel").getBoundingClientRect();
      const narrow = innerWidth <= 700;
      return { width: app.open && !narrow ? panel.left : innerWidth, height: app.open && narrow ? panel.top : innerHeight - 66 };
    },
    /** Triangles of all that is drawn. */
    faces() {
      let count = 0;
      stage.scene.traverse(({ isMesh, geometry: g }) => (count += isMesh ? (g.index ?? g.attributes.position).count / 3 : 0));
      return count;
    },
    /** Dots of one colour at points of the world, over everything, to be found in pictures. */
    dots(points, color = "#ff00ff", pixels = 4) {
      stage.scene.remove(this.drawn);
      this.drawn = new THREE.Group();
      const material = new THREE.MeshBasicMaterial({ color, depthTest: false, toneMapped: false, fog: false });
      for (const p of points) {
        const dot = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), material);
        const away = stage.camera.position.distanceTo(stage.near(p));
        dot.scale.setScalar((pixels * away * Math.tan((FIELD * Math.PI) / 360)) / (stage.canvas.clientHeight / 2));
        dot.position.copy(stage.near(p));
        dot.renderOrder = 9;
        this.drawn.add(dot);
      }
      stage.scene.add(this.drawn);
      app.now();
    },
    png: () => (app.now(), stage.canvas.toDataURL("image/png")),
  };
}

async function run(data) {
  const model = await loadModel(await unpacked(find("wasm").textContent), data.manifest);
  const machine = new Machine(model, data);
  machine.latches = await latchesOf(machine, data.configurations);
  const stage = new Stage(find("view"), data.scene, machine.frames);
  const { bodies = [], deformables = [] } = data.manifest.metadata;
  const words = [`${machine.nu} ${machine.nu === 1 ? "speed" : "speeds"}`, `${bodies.length} ${bodies.length === 1 ? "body" : "bodies"}`];
  // The manifest tells the masses of rigid bodies only.
  if (!deformables.length) words.push(`${figures(bodies.reduce((sum, body) => sum + body.mass, 0))} kg`);
  const lost = data.scene.missing_meshes ?? [];
  if (lost.length) words.push(`without ${lost.length > 1 ? `${lost.length} meshes, ` : ""}${lost[0]}`);
  find("facts").textContent = words.join(" · ");
  const app = new App(machine, stage, data, await recorded(data.run));
  app.now();
  window.live = hook(app);
}
