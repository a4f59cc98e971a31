// The picture: light, ground, camera, bodies at their poses.

const THEMES = {
  light: { back: "#eef1f4", grid: ["#c3ccd6", "#dde3e9"], environment: 0.6, exposure: 1.12, shadow: 0.2, sun: 2.6 },
  dark: { back: "#14181d", grid: ["#333e4a", "#222a33"], environment: 0.45, exposure: 1.0, shadow: 0.5, sun: 2.2 },
};
const FIELD = 32;
const TURNS = 7;
const FREE = 0.8; // of the radius, how far a model may go before the camera goes along
const CHASE = 0.12; // of the way to it, in a frame

class Stage {
  constructor(canvas, description, names) {
    this.canvas = canvas;
    this.description = description;
    this.names = names;
    this.renderer = hasWebGL() ? new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true }) : new Flat(canvas);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(FIELD, 1, 0.1, 100);
    this.camera.up.set(0, 0, 1);
    this.groups = names.map(() => {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.scene.add(group);
      return group;
    });
    this.world = new THREE.Group();
    this.scene.add(this.world);
    this.pickable = [];
    this.#fill();
    this.#light();
    this.center = new THREE.Vector3();
    this.radius = 1;
    /** Where the scene's own origin is in the world: goes along with a model that is far away. */
    this.origin = new THREE.Vector3();
    this.afar = false;
  }

  /** A point of the world in the scene: differences of doubles, before single precision. */
  near(p) {
    return new THREE.Vector3(...p).sub(this.origin);
  }

  /** A point of the scene in the world. */
  outer(v) {
    return v.clone().add(this.origin).toArray();
  }

  /** From now on seen from the middle of its bodies, as in orbit; without a floor. */
  goAlong() {
    this.afar = true;
    this.ground.visible = false;
  }

  #fill() {
    const { shapes = [], lines = [], materials = {} } = this.description;
    const made = new Map();
    const material = (name) => {
      if (!made.has(name)) made.set(name, standardMaterial(materials[name] ?? {}));
      return made.get(name);
    };
    this.materials = made;
    for (const shape of shapes) {
      const mesh = shapeMesh(shape, this.description, material(shape.material));
      if (!mesh) continue;
      const k = this.names.indexOf(shape.body);
      mesh.userData.body = k < 0 ? null : shape.body;
      (k < 0 ? this.world : this.groups[k]).add(mesh);
      if (k >= 0) this.pickable.push(mesh);
    }
    this.moving = lines.map((line) => this.#line(line, material(line.material ?? line.kind))).filter(Boolean);
  }

  #line(line, material) {
    if (line.kind === "arrow" || line.kind === "turn") {
      const arrow = line.kind === "turn" ? new Turn(material.color, line.radius) : new Arrow(material.color, 0.35 * line.radius);
      this.scene.add(arrow.object);
      return { ...line, arrow };
    }
    const coiled = line.kind === "spring";
    const count = line.points?.count ?? (coiled ? 8 * TURNS + 3 : 4);
    if (line.kind === "damper") {
      const bars = new Damper(line.radius, material);
      this.scene.add(bars.object);
      return { ...line, bars };
    }
    const bars = new Bars(count, coiled ? 0.22 * line.radius : line.radius, material);
    this.scene.add(bars.object);
    return { ...line, bars };
  }

  #light() {
    if (hasWebGL()) {
      const generator = new THREE.PMREMGenerator(this.renderer);
      this.scene.environment = generator.fromScene(new THREE.RoomEnvironment(), 0.04).texture;
      generator.dispose();
    }
    this.sun = new THREE.DirectionalLight("#fff3e0", 2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.sky = new THREE.HemisphereLight("#ffffff", "#8d99a8", 0.5);
    this.ground = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial());
    this.ground.receiveShadow = true;
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground);
  }

  theme(name) {
    const theme = THEMES[name];
    this.look = theme;
    this.scene.background = new THREE.Color(theme.back);
    this.scene.environmentIntensity = theme.environment;
    this.renderer.toneMappingExposure = theme.exposure;
    this.ground.material.opacity = theme.shadow;
    this.sun.intensity = theme.sun;
    this.#floor();
  }

  /** Grid, fog and shadow in the size of what is shown. */
  #floor() {
    const { radius, center } = this;
    this.laid = center.clone();
    if (this.grid) this.scene.remove(this.grid);
    const cell = 10 ** Math.floor(Math.log10(radius)) * (radius / 10 ** Math.floor(Math.log10(radius)) > 4 ? 1 : 0.5);
    const size = 80 * cell;
    this.grid = new THREE.Group();
    const coarse = new THREE.GridHelper(size, 80, this.look.grid[1], this.look.grid[1]);
    const bold = new THREE.GridHelper(size, 16, this.look.grid[0], this.look.grid[0]);
    bold.position.y = 1e-4 * radius;
    this.grid.add(coarse, bold);
    this.grid.rotation.x = Math.PI / 2;
    const low = this.floor ?? center.z - radius;
    const snap = (x) => Math.round(x / (5 * cell)) * 5 * cell;
    this.grid.position.set(snap(center.x), snap(center.y), low - 0.002 * radius);
    if (!this.afar) this.scene.add(this.grid);
    this.ground.scale.set(size, size, 1);
    this.ground.position.set(center.x, center.y, low);
    const far = this.distance ?? 4 * radius;
    this.scene.fog = new THREE.Fog(this.look.back, far + 0.5 * radius, far + 8 * radius);
    const { sun } = this;
    sun.position.set(center.x - 1.6 * radius, center.y - 1.1 * radius, center.z + 3.2 * radius);
    sun.target.position.copy(center);
    const shadow = sun.shadow.camera;
    Object.assign(shadow, { left: -1.5 * radius, right: 1.5 * radius, top: 1.5 * radius, bottom: -1.5 * radius });
    Object.assign(shadow, { near: 0.1 * radius, far: 8 * radius });
    shadow.updateProjectionMatrix();
    sun.shadow.normalBias = 0.004 * radius;
  }

  /** The floor at the height `low`, and all within the ball seen. */
  measure(center, radius, low) {
    this.center.copy(center);
    this.radius = radius;
    this.floor = low;
  }

  /** Looks at the ball so that it fills the part of the picture that nothing covers. */
  fit(free) {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const camera = this.camera;
    camera.aspect = width / height;
    const part = { width: Math.max(width - free.right, 80), height: Math.max(height - free.bottom - free.top, 80) };
    const half = Math.tan((FIELD * Math.PI) / 360);
    const angle = Math.atan(half * Math.min(part.width / height, part.height / height));
    this.distance = (this.radius / Math.sin(angle)) * 1.02;
    if (!this.controls) {
      this.controls = new THREE.OrbitControls(camera, this.canvas);
      this.controls.enableDamping = false;
      const direction = this.description.camera?.direction ?? [1.1, -1.6, 0.75];
      camera.position.set(...direction);
    } else {
      camera.position.sub(this.controls.target);
    }
    camera.position.normalize().multiplyScalar(this.distance).add(this.center);
    this.controls.target.copy(this.center);
    camera.near = this.distance / 200;
    camera.far = this.distance * 20;
    camera.setViewOffset(width, height, free.right / 2, (free.bottom - free.top) / 2, width, height);
    camera.updateProjectionMatrix();
    this.controls.update();
    if (this.look) this.#floor();
  }

  /** Poses as rows of three by four numbers, one body after the other. */
  pose(rows) {
    if (this.afar) {
      const count = this.groups.length;
      this.origin.set(0, 0, 0);
      for (let k = 0; k < count; k++) {
        const at = new THREE.Vector3(rows[12 * k + 3], rows[12 * k + 7], rows[12 * k + 11]);
        this.origin.addScaledVector(at, 1 / count);
      }
      this.world.position.copy(this.origin).negate();
    }
    const { x, y, z } = this.origin;
    this.groups.forEach((group, k) => {
      const r = rows.subarray(12 * k, 12 * k + 12);
      group.matrix.set(r[0], r[1], r[2], r[3] - x, r[4], r[5], r[6], r[7] - y, r[8], r[9], r[10], r[11] - z, 0, 0, 0, 1);
      group.matrixWorldNeedsUpdate = true;
    });
  }

  /** A point of a body in the scene. */
  point(body, at) {
    const k = this.names.indexOf(body);
    const p = new THREE.Vector3(...at);
    return k < 0 ? p.sub(this.origin) : p.applyMatrix4(this.groups[k].matrix);
  }

  /** Springs, cables and the like; `rows` gives the points that a function tells. */
  stretch(rows) {
    for (const line of this.moving) {
      if (line.arrow) {
        const foot = this.point(...line.at);
        const [body, along] = line.direction;
        const tip = foot.clone().add(this.point(body, along).sub(this.point(body, [0, 0, 0])).multiplyScalar(line.length));
        line.arrow.set(foot, tip);
        continue;
      }
      const points = line.points ? rows(line.points).map((p) => this.near(p).toArray()) : line.ends.map((end) => this.point(...end).toArray());
      const [a, b] = [points[0], points.at(-1)];
      if (line.kind === "spring") line.bars.set(coil(a, b, TURNS, line.radius));
      else line.bars.set(points);
    }
  }

  /** Goes along with a model that would leave the picture. */
  follow() {
    if (!this.controls || !this.groups.length || this.afar) return;
    const middle = new THREE.Vector3();
    for (const group of this.groups) middle.add(new THREE.Vector3().setFromMatrixPosition(group.matrix));
    middle.divideScalar(this.groups.length);
    this.home ??= middle.clone();
    const away = middle.sub(this.home);
    const share = away.length() / this.radius;
    this.chasing = share > FREE || (this.chasing && share > 0.01);
    if (!this.chasing) return;
    away.multiplyScalar(share > 10 ? 1 : CHASE);
    this.home.add(away);
    this.camera.position.add(away);
    this.controls.target.add(away);
    away.z = 0;
    this.center.add(away);
    for (const part of [this.sun, this.sun.target, this.ground]) part.position.add(away);
    if (this.center.distanceTo(this.laid) > 8 * this.radius) this.#floor();
  }

  render() {
    this.renderer.render(this.scene, this.camera);
  }

  /** Pixels of a point of the world, from the upper left corner of the canvas. */
  project(p) {
    return this.pixels(this.near(p));
  }

  /** The same of a point of the scene. */
  pixels(at) {
    this.camera.updateMatrixWorld();
    const v = at.clone().project(this.camera);
    return [((v.x + 1) / 2) * this.canvas.clientWidth, ((1 - v.y) / 2) * this.canvas.clientHeight];
  }

  /** What lies under a pixel: body, point in its axes and in the scene. */
  pick(x, y) {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    this.scene.updateMatrixWorld();
    ray.setFromCamera(at, this.camera);
    const [hit] = ray.intersectObjects(this.pickable, false);
    if (!hit) return null;
    const { body } = hit.object.userData;
    const inverse = this.groups[this.names.indexOf(body)].matrix.clone().invert();
    return { body, point: hit.point, at: hit.point.clone().applyMatrix4(inverse).toArray(), ray: ray.ray };
  }
}
