// The keyboard, and the table that tells of it.

const KEYS = [
  ["Space", "play or pause", (app) => app.play(!app.playing)],
  ["→", "one step", (app) => app.single(), "ArrowRight"],
  ["R", "reset", (app) => app.reset()],
  ["+", "faster", (app) => app.faster(1)],
  ["-", "slower", (app) => app.faster(-1)],
  ["F", "look at all of it", (app) => app.fit()],
  ["V", "arrows of forces, if there are any", (app) => app.toggleForces()],
  ["P", "panel", (app) => app.togglePanel()],
  ["T", "dark or light", (app) => app.toggleTheme()],
  ["?", "this table", () => find("help").showModal()],
];

function listen(app) {
  const rows = KEYS.map(([key, what]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, what)));
  const mouse = [["drag a body", "pull at it with a spring"], ["drag elsewhere", "turn; with the right button move"], ["wheel, pinch", "nearer, farther"]];
  rows.push(...mouse.map(([what, does]) => element("tr", {}, element("td", {}, what), element("td", {}, does))));
  find("help").replaceChildren(element("table", {}, ...rows), element("form", { method: "dialog" }, element("button", {}, "Close")));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || find("help").open) return;
    if (["INPUT", "SELECT"].includes(event.target.tagName) && event.key.startsWith("Arrow")) return;
    const pressed = event.key === " " ? "Space" : event.key;
    const found = KEYS.find(([key, , , code]) => key.toLowerCase() === pressed.toLowerCase() || code === pressed);
    if (!found) return;
    if (pressed === "Space" && event.target.tagName === "BUTTON") event.target.blur();
    event.preventDefault();
    found[2](app);
  });
}

/** The pointer: a body under it is pulled, else the picture turns. */
function listenPointer(app) {
  const { canvas, stage } = app;
  let plane = null;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), stage.camera);
    return ray.ray.intersectPlane(plane, new THREE.Vector3());
  };
  const down = (event) => {
    if (event.button !== 0 || !app.puller || app.replaying || app.modes.playing) return;
    const hit = stage.pick(event.clientX, event.clientY);
    if (!hit) return;
    event.stopImmediatePropagation();
    canvas.setPointerCapture(event.pointerId);
    const normal = stage.camera.getWorldDirection(new THREE.Vector3());
    plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point);
    app.puller.spring({ body: hit.body, at: hit.at, target: stage.outer(hit.point) });
    canvas.classList.add("pulling");
  };
  const move = (event) => {
    if (plane) {
      const point = at(event);
      if (point && app.puller.held) app.puller.held.target = stage.outer(point);
      event.stopImmediatePropagation();
    } else if (event.buttons === 0 && event.pointerType === "mouse") {
      const hit = stage.pick(event.clientX, event.clientY);
      canvas.classList.toggle("over", Boolean(hit));
      find("tip").hidden = !hit;
      if (hit) {
        find("tip").textContent = hit.body;
        Object.assign(find("tip").style, { left: `${event.clientX + 14}px`, top: `${event.clientY + 12}px` });
      }
    }
  };
  const up = (event) => {
    if (!plane) return;
    plane = null;
    event.stopImmediatePropagation();
    app.puller.release();
    canvas.classList.remove("pulling");
  };
  canvas.addEventListener("pointerdown", down, true);
  canvas.addEventListener("pointermove", move, true);
  canvas.addEventListener("pointerup", up, true);
  canvas.addEventListener("pointercancel", up, true);
  canvas.addEventListener("pointerleave", () => (find("tip").hidden = true));
}
