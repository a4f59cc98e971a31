// Shapes of bodies as meshes. Those with an axis lie along z here, along y in three.js.

const UP = new THREE.Matrix4().makeRotationX(Math.PI / 2);

const GEOMETRY = {
  box: (s) => new THREE.BoxGeometry(...s.size),
  sphere: (s) => new THREE.SphereGeometry(s.radius, 32, 20),
  ellipsoid: (s) => new THREE.SphereGeometry(1, 32, 20).scale(...s.radii),
  cylinder: (s) => new THREE.CylinderGeometry(s.radius, s.radius, s.length, 40).applyMatrix4(UP),
  cone: (s) => new THREE.CylinderGeometry(s.top_radius ?? 0, s.radius, s.length, 40).applyMatrix4(UP),
  capsule: (s) => new THREE.CapsuleGeometry(s.radius, s.length, 10, 24).applyMatrix4(UP),
  tube: (s) => tube(s),
  extrusion: (s) => extrusion(s),
  mesh: (s, scene) => faces(scene.meshes[s.mesh]),
};

function tube({ radius, inner, length }) {
  const hole = inner ?? 0.8 * radius;
  const half = length / 2;
  const outline = [[hole, -half], [radius, -half], [radius, half], [hole, half], [hole, -half]];
  return new THREE.LatheGeometry(outline.map((p) => new THREE.Vector2(...p)), 40).applyMatrix4(UP);
}

function extrusion({ polygon, length }) {
  const shape = new THREE.Shape(polygon.map((p) => new THREE.Vector2(...p)));
  const made = new THREE.ExtrudeGeometry(shape, { depth: length, bevelEnabled: false });
  return made.translate(0, 0, -length / 2);
}

function decoded(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
}

/** A mesh of 16-bit vertices within bounds; edges sharper than 40 degrees stay sharp. */
function faces(mesh) {
  const [low, high] = mesh.bounds;
  const packed = new Int16Array(decoded(mesh.vertices));
  const count = packed.length / 3;
  const Index = mesh.index === "uint32" ? Uint32Array : Uint16Array;
  const index = new Index(decoded(mesh.faces));
  const place = (i) => [0, 1, 2].map((k) => low[k] + ((packed[3 * i + k] + 32767) / 65534) * (high[k] - low[k]));
  const points = Array.from({ length: count }, (_, i) => place(i));
  return creased(points, index, Math.cos((40 * Math.PI) / 180));
}

function creased(points, index, limit) {
  const normals = [];
  const around = points.map(() => []);
  for (let f = 0; f < index.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new THREE.Vector3(...points[index[f + k]]));
    const n = b.sub(a).cross(c.sub(a));
    normals.push(n);
    for (let k = 0; k < 3; k++) around[index[f + k]].push(f / 3);
  }
  const units = normals.map((n) => n.clone().normalize());
  const positions = new Float32Array(3 * index.length);
  const directions = new Float32Array(3 * index.length);
  for (let k = 0; k < index.length; k++) {
    const face = Math.floor(k / 3);
    const sum = new THREE.Vector3();
    for (const other of around[index[k]]) if (units[other].dot(units[face]) > limit) sum.add(normals[other]);
    positions.set(points[index[k]], 3 * k);
    directions.set(sum.normalize().toArray(), 3 * k);
  }
  const made = new THREE.BufferGeometry();
  made.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  made.setAttribute("normal", new THREE.BufferAttribute(directions, 3));
  return made;
}

/** Position and turn of a shape in its body. */
function placed(shape) {
  if (shape.a && shape.b) {
    const a = new THREE.Vector3(...shape.a);
    const b = new THREE.Vector3(...shape.b);
    const along = b.clone().sub(a);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.clone().normalize());
    return new THREE.Matrix4().compose(a.add(b).multiplyScalar(0.5), turn, new THREE.Vector3(1, 1, 1));
  }
  const { xyz = [0, 0, 0], quaternion = [1, 0, 0, 0] } = shape.placement ?? {};
  const [w, x, y, z] = quaternion;
  const scale = new THREE.Vector3(...(shape.scale ?? [1, 1, 1]));
  return new THREE.Matrix4().compose(new THREE.Vector3(...xyz), new THREE.Quaternion(x, y, z, w), scale);
}

/** A bar from point to point, as it lies in its body. */
function bar(shape, material) {
  const bars = new Bars(shape.points.length, shape.radius, material);
  bars.set(shape.points);
  bars.object.matrix.copy(placed(shape));
  bars.object.matrixAutoUpdate = false;
  return bars.object;
}

function shapeMesh(shape, scene, material) {
  if (shape.kind === "line") return bar(shape, material);
  const between = shape.a && shape.b;
  const length = between ? Math.hypot(...shape.a.map((x, k) => shape.b[k] - x)) : shape.length;
  const make = GEOMETRY[shape.kind];
  if (!make || (shape.kind === "mesh" && !scene.meshes[shape.mesh])) return null;
  const mesh = new THREE.Mesh(make({ ...shape, length }, scene), material);
  mesh.matrix.copy(placed(shape));
  mesh.matrixAutoUpdate = false;
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function standardMaterial({ color = "#8c99a8", roughness = 0.45, metalness = 0.1, opacity = 1 }) {
  return new THREE.MeshStandardMaterial({ color, roughness, metalness, opacity, transparent: opacity < 1 });
}
