// The picture where there is no WebGL: outlines of all parts on a plain canvas, the farthest first.

/** Corners of the convex outline of points of the plane, counterclockwise (Andrew's chain). */
function outline(points) {
  points.sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (sorted) => {
    const chain = [];
    for (const p of sorted) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(points), ...half(points.toReversed())];
}

/** Draws a scene as THREE.WebGLRenderer would, in plain colours and without the ground. */
class Flat {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.shadowMap = {};
    this.corners = new WeakMap();
  }

  setPixelRatio(ratio) {
    this.ratio = ratio;
  }

  setSize(width, height) {
    this.canvas.width = width * this.ratio;
    this.canvas.height = height * this.ratio;
  }

  render(scene, camera) {
    const { context, canvas } = this;
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    context.fillStyle = scene.background.getStyle();
    context.fillRect(0, 0, canvas.width, canvas.height);
    const parts = [];
    scene.traverseVisible((part) => part.isMesh && !part.material.isShadowMaterial && this.#take(part, camera, parts));
    parts.sort((a, b) => b.away - a.away);
    for (const { points, material } of parts) {
      context.beginPath();
      for (const { x, y } of points) context.lineTo(((x + 1) / 2) * canvas.width, ((1 - y) / 2) * canvas.height);
      context.closePath();
      context.globalAlpha = material.opacity;
      context.fillStyle = material.color.getStyle();
      context.fill();
      context.strokeStyle = material.color.clone().multiplyScalar(0.4).getStyle();
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** A mesh, or each of its instances, as it lies on the picture; nothing of what reaches behind the camera. */
  #take(part, camera, parts) {
    for (let k = 0; k < (part.isInstancedMesh ? part.count : 1); k++) {
      const own = new THREE.Matrix4();
      if (part.isInstancedMesh) part.getMatrixAt(k, own);
      const inView = camera.matrixWorldInverse.clone().multiply(part.matrixWorld).multiply(own);
      const seen = this.#cornersOf(part.geometry).map((p) => p.clone().applyMatrix4(inView));
      if (!seen.every((p) => p.z < -camera.near)) continue;
      const away = -seen.reduce((sum, p) => sum + p.z, 0) / seen.length;
      const points = outline(seen.map((p) => p.applyMatrix4(camera.projectionMatrix)));
      if (points.length > 2) parts.push({ points, away, material: part.material });
    }
  }

  /** Points of a shape, each once. */
  #cornersOf(geometry) {
    if (!this.corners.has(geometry)) {
      const { position } = geometry.attributes;
      const found = new Map();
      for (let k = 0; k < position.count; k++) {
        const p = new THREE.Vector3().fromBufferAttribute(position, k);
        found.set(p.toArray().map((x) => x.toPrecision(5)).join(), p);
      }
      this.corners.set(geometry, [...found.values()]);
    }
    return this.corners.get(geometry);
  }
}
