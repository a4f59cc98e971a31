// What is drawn between points that move: springs, cables, beams, arrows. Lines of WebGL are one
// pixel wide, so that all of these are chains of thin cylinders, moved each frame.

const AXIS = new THREE.Vector3(0, 1, 0);

/** A polyline of round bars. */
class Bars {
  constructor(count, radius, material) {
    this.radius = radius;
    const bar = new THREE.CylinderGeometry(1, 1, 1, 10);
    this.bars = new THREE.InstancedMesh(bar, material, Math.max(count - 1, 1));
    this.knots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 10, 8), material, Math.max(count, 1));
    this.object = new THREE.Group();
    this.object.add(this.bars, this.knots);
    for (const part of [this.bars, this.knots]) {
      part.castShadow = true;
      part.frustumCulled = false;
    }
  }

  /** Through points [[x, y, z], ...]. */
  set(points) {
    const r = this.radius;
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const size = new THREE.Vector3();
    const vectors = points.map((p) => new THREE.Vector3(...p));
    this.bars.count = Math.max(vectors.length - 1, 0);
    this.knots.count = vectors.length;
    vectors.forEach((p, k) => {
      this.knots.setMatrixAt(k, matrix.makeScale(r, r, r).setPosition(p));
      if (k === 0) return;
      const along = p.clone().sub(vectors[k - 1]);
      const length = along.length();
      turn.setFromUnitVectors(AXIS, length ? along.divideScalar(length) : AXIS);
      const middle = p.clone().add(vectors[k - 1]).multiplyScalar(0.5);
      this.bars.setMatrixAt(k - 1, matrix.compose(middle, turn, size.set(r, length, r)));
    });
    this.bars.instanceMatrix.needsUpdate = this.knots.instanceMatrix.needsUpdate = true;
  }
}

/** Points of a coil between two points, straight at its ends, eight a turn. */
function coil(a, b, turns, radius) {
  const from = new THREE.Vector3(...a);
  const along = new THREE.Vector3(...b).sub(from);
  const side = Math.abs(along.z) < 0.8 * along.length() ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
  const n1 = side.cross(along).normalize();
  const n2 = along.clone().normalize().cross(n1);
  const points = [a];
  const count = 8 * turns;
  for (let k = 0; k <= count; k++) {
    const s = 0.12 + (0.76 * k) / count;
    const angle = (2 * Math.PI * k) / 8;
    const out = Math.min(1, k / 4, (count - k) / 4) * radius;
    const p = from.clone().addScaledVector(along, s);
    p.addScaledVector(n1, out * Math.cos(angle)).addScaledVector(n2, out * Math.sin(angle));
    points.push(p.toArray());
  }
  return [...points, b];
}

/** The rod of a damper, and its cylinder in the middle. */
class Damper {
  constructor(radius, material) {
    this.rod = new Bars(2, 0.3 * radius, material);
    this.cylinder = new Bars(2, radius, material);
    this.object = new THREE.Group();
    this.object.add(this.rod.object, this.cylinder.object);
  }

  set([a, b]) {
    const at = (s) => a.map((x, k) => x + s * (b[k] - x));
    this.rod.set([a, b]);
    this.cylinder.set([at(0.35), at(0.7)]);
  }
}

/** An arrow, from its foot to its tip; of moments with two heads. */
class Arrow {
  constructor(color, radius, twice = false) {
    const material = new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.85 });
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 14), material);
    this.tip = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 18), material);
    this.object = new THREE.Group();
    this.object.add(this.shaft, this.tip);
    this.second = twice ? this.tip.clone() : null;
    if (twice) this.object.add(this.second);
    this.object.visible = false;
    this.radius = radius;
  }

  set(from, to) {
    const along = to.clone().sub(from);
    const length = along.length();
    this.object.visible = length > 1e-9;
    if (!this.object.visible) return;
    const r = this.radius;
    const head = Math.min(5 * r, (this.second ? 0.35 : 0.5) * length);
    this.object.position.copy(from);
    this.object.quaternion.setFromUnitVectors(AXIS, along.divideScalar(length));
    this.shaft.scale.set(r, length - head, r);
    this.shaft.position.set(0, (length - head) / 2, 0);
    this.tip.scale.set(2.4 * r, head, 2.4 * r);
    this.tip.position.set(0, length - head / 2, 0);
    this.second?.scale.copy(this.tip.scale);
    this.second?.position.set(0, length - 1.3 * head, 0);
  }
}

/** Three quarters of a ring about an axis, and its head: a torque. */
class Turn {
  constructor(color, radius) {
    this.radius = radius;
    const material = new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.85 });
    this.ring = new Bars(19, 0.09 * radius, material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(0.26 * radius, 0.6 * radius, 18), material);
    this.object = new THREE.Group();
    this.object.add(this.ring.object, this.head);
  }

  set(from, to) {
    const n = to.clone().sub(from).normalize();
    const side = Math.abs(n.z) < 0.8 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
    const n1 = side.cross(n).normalize();
    const n2 = n.clone().cross(n1);
    const at = (angle) => from.clone().addScaledVector(n1, this.radius * Math.cos(angle)).addScaledVector(n2, this.radius * Math.sin(angle));
    this.ring.set(Array.from({ length: 19 }, (_, k) => at((k * Math.PI) / 12).toArray()));
    const along = n2.multiplyScalar(Math.cos(1.5 * Math.PI)).addScaledVector(n1, -Math.sin(1.5 * Math.PI));
    this.head.position.copy(at(1.5 * Math.PI)).addScaledVector(along, 0.2 * this.radius);
    this.head.quaternion.setFromUnitVectors(AXIS, along.normalize());
    this.object.visible = true;
  }
}
