// Forces and moments as arrows, where the model was asked to tell them: what acts on bodies, and what
// the parent side of each joint does to the child side.

const WAYS = {
  acting: { function: "acting_forces", colors: ["#d1495b", "#b05cc6"], words: "acting" },
  joints: { function: "joint_forces", colors: ["#2f7ed8", "#2fa36b"], words: "in joints" },
};
const LONGEST = 0.45; // of the radius of what is shown: the largest force so far
const SMALLEST = 1e-3; // of the largest

class Forces {
  constructor(machine, stage, radius) {
    Object.assign(this, { machine, stage });
    this.marks = stage.moving.filter((line) => line.arrow).map((line) => line.arrow.object);
    this.radius = radius;
    this.most = [0, 0];
    const has = ([, way]) => machine.model.has(way.function);
    this.ways = Object.entries(WAYS).filter(has).map(([name, way]) => {
      const [{ shape }] = machine.model.manifest.functions[way.function].outputs;
      const arrows = way.colors.map((color, part) => Array.from({ length: shape[0] }, () => {
        const arrow = new Arrow(color, 0.007 * radius, part === 1);
        arrow.shaft.material.depthTest = false; // seen through the bodies in which they begin
        arrow.object.traverse((mesh) => (mesh.renderOrder = 4));
        stage.scene.add(arrow.object);
        return arrow;
      }));
      return { name, words: way.words, function: way.function, arrows, shown: true };
    });
  }

  /** Accelerations and multipliers as they are now, for what takes them. */
  #dynamics() {
    const { model } = this.machine;
    const constrained = model.has("constrained_dynamics");
    if (!constrained && !model.has("forward_dynamics")) return;
    model.input("stabilization")?.fill(0);
    const [a, multipliers] = Object.values(model.call(constrained ? "constrained_dynamics" : "forward_dynamics"));
    model.input("a")?.set(a);
    if (constrained) model.input("multipliers")?.set(multipliers);
  }

  /** Rows of place, force and moment; none where they cannot be told. */
  rows(way) {
    try {
      if (way.name === "joints") this.#dynamics();
      return Object.values(this.machine.model.call(way.function))[0];
    } catch {
      return null;
    }
  }

  show() {
    const told = this.ways.map((way) => (way.shown ? this.rows(way)?.slice() : null));
    const size = (rows, k, part) => Math.hypot(...[3, 4, 5].map((i) => rows[9 * k + 3 * part + i]));
    told.forEach((rows, n) => {
      this.ways[n].arrows.forEach((list, part) => list.forEach((_, k) => {
        const value = rows ? size(rows, k, part) : 0;
        if (Number.isFinite(value)) this.most[part] = Math.max(this.most[part], value);
      }));
    });
    // What stands for a force of any size gives way to what shows the size.
    if (this.ways.some((way) => way.name === "acting" && way.shown)) for (const mark of this.marks) mark.visible = false;
    told.forEach((rows, n) => {
      this.ways[n].arrows.forEach((list, part) => list.forEach((arrow, k) => {
        const value = rows ? size(rows, k, part) : 0;
        arrow.object.visible = value > SMALLEST * this.most[part];
        if (!arrow.object.visible) return;
        const foot = this.stage.near(rows.subarray(9 * k, 9 * k + 3));
        const along = new THREE.Vector3(...[3, 4, 5].map((i) => rows[9 * k + 3 * part + i]));
        const length = LONGEST * this.radius * Math.sqrt(value / this.most[part]);
        arrow.set(foot, foot.clone().addScaledVector(along, length / value));
      }));
    });
  }

  /** What the longest arrows are worth. */
  get note() {
    const units = ["N", "N m"];
    const told = this.most.flatMap((value, part) => (value > 0 ? [`${figures(value, 3)} ${units[part]}`] : []));
    return told.length ? `The longest arrows so far: ${told.join(", ")}; lengths go as the roots of forces. Moments have two heads.` : "";
  }
}
