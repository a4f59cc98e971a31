"""Pictures for the cards of the gallery: the live page's own drawing, in a headless browser.

All models are drawn in one page with one renderer, so that light and shaders are made once. Where
no chromium is, matplotlib draws the same scenes.
"""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from eomc.runtime.picture.lines import THIN, line_points
from eomc.runtime.picture.placed import PlacedLine, PlacedPicture, Solid
from eomc.runtime.picture.surfaces import surface
from eomc.runtime.plot.canvas import Canvas, plane_of

WIDTH, HEIGHT = 480, 320
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"),
    *("--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--hide-scrollbars"),
    *("--disable-gpu-sandbox", "--no-first-run", "--disable-extensions"),
)
_PATIENCE = 600

_PAGE = """<!doctype html><meta charset="utf-8"><title>thumbnails</title>
<canvas id="view" style="width:%(width)dpx;height:%(height)dpx"></canvas>
<script>%(three)s</script>
<script>
const shared = {};
{
  const own = THREE;
  const canvas = document.getElementById("view");
  shared.renderer = new own.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  shared.light = new own.PMREMGenerator(shared.renderer).fromScene(new own.RoomEnvironment(), 0.04);
  window.drawn = { ...own, WebGLRenderer: function () { return shared.renderer; },
    PMREMGenerator: function () { return { fromScene: () => shared.light, dispose() {} }; } };
}
</script>
<script>
(function (THREE) {
%(app)s
const cornersOf = ({ min, max }) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
    new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
for (const [name, { scene, rows }] of Object.entries(%(scenes)s)) {
  const stage = new Stage(document.getElementById("view"), scene, scene.poses.rows);
  stage.theme("light");
  stage.pose(Float64Array.from(rows[scene.poses.function]));
  const points = ({ function: f, first, count }) =>
    Array.from({ length: count }, (_, k) => rows[f].slice(3 * (first + k), 3 * (first + k) + 3));
  stage.stretch(points);
  stage.scene.updateMatrixWorld(true);
  const box = new THREE.Box3();
  const part = new THREE.Box3();
  for (const group of [...stage.groups, ...stage.world.children]) {
    if (!part.makeEmpty().expandByObject(group).isEmpty()) box.union(part);
  }
  for (const line of stage.moving) {
    if (!line.points) continue;
    for (const p of points(line.points)) box.expandByPoint(new THREE.Vector3(...p));
  }
  const ball = box.getBoundingSphere(new THREE.Sphere());
  stage.measure(ball.center, Math.max(ball.radius, 1e-6), box.min.z - 0.01 * ball.radius);
  stage.fit({ right: 0, bottom: 0, top: 0 });
  // As near as the box around all of it lets one come.
  stage.camera.updateMatrixWorld();
  const seen = cornersOf(box).map((p) => p.project(stage.camera));
  const most = Math.max(...seen.flatMap((p) => [Math.abs(p.x), Math.abs(p.y)]));
  stage.camera.zoom = Math.min(0.94 / most, 2.2);
  stage.camera.updateProjectionMatrix();
  stage.render();
  const made = document.createElement("pre");
  made.id = name;
  made.textContent = stage.canvas.toDataURL("image/webp", 0.9);
  document.body.append(made);
}
})(window.drawn);
</script>
"""


def browser() -> str | None:
    """The first browser that is here."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def drawn(scenes: Mapping[str, Any]) -> dict[str, bytes]:
    """A picture of each scene as WebP. Raises RuntimeError if the browser leaves one out."""
    command = browser()
    if command is None:
        return sketched(scenes)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "thumbnails.html"
        page.write_text(_page(scenes), encoding="utf-8")
        size = f"--window-size={WIDTH + 40},{HEIGHT + 40}"
        own = f"--user-data-dir={folder}/profile"
        run = subprocess.run(
            [command, *FLAGS, size, own, "--dump-dom", page.as_uri()],
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    found = dict(re.findall(r'<pre id="([^"]+)">data:image/webp;base64,([^<]+)</pre>', run.stdout))
    missing = sorted(set(scenes) - set(found))
    if missing:
        raise RuntimeError(f"{command} drew no picture of {missing}: {run.stderr[-2000:]}")
    return {name: base64.b64decode(found[name]) for name in scenes}


def _page(scenes: Mapping[str, Any]) -> str:
    page = files("eomc.runtime.page")
    bundle = (
        (page / "three" / "three.bundle.js").read_text("utf-8").replace("</script", "<\\/script")
    )
    names = ("start", "lines", "shapes", "stage")
    app = "\n".join((page / "app" / f"{name}.js").read_text("utf-8") for name in names)
    lines = [line.removeprefix("export ") for line in app.splitlines() if line[:7] != "import "]
    told = json.dumps(scenes, allow_nan=False).replace("<", "\\u003c")
    return _PAGE % {
        "width": WIDTH,
        "height": HEIGHT,
        "three": bundle,
        "app": "\n".join(lines),
        "scenes": told,
    }


def sketched(scenes: Mapping[str, Any]) -> dict[str, bytes]:
    """A picture of each scene by matplotlib, as WebP."""
    return {name: _sketch(scene) for name, scene in scenes.items()}


def _sketch(told: Mapping[str, Any]) -> bytes:
    from matplotlib.figure import Figure

    shown = _placed(told["scene"], told["rows"])
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), facecolor="#eef1f4")
    plane = plane_of(shown.skeleton)
    axes = figure.add_axes((0, 0, 1, 1), projection=None if plane else "3d")
    Canvas(axes, shown, plane).show(0)
    axes.set_axis_off()
    made = io.BytesIO()
    figure.savefig(made, format="webp", dpi=100)
    return made.getvalue()


def _placed(scene: Mapping[str, Any], rows: Mapping[str, Any]) -> PlacedPicture:
    names = scene["poses"]["rows"]
    poses = {"world": np.eye(4)[None]}
    for name, pose in zip(
        names, np.reshape(rows[scene["poses"]["function"]], (-1, 3, 4)), strict=True
    ):
        poses[name] = np.vstack([pose, [0, 0, 0, 1]])[None]
    bare = PlacedPicture(scene, poses, (), ())
    solids = []
    for shape in scene["shapes"]:
        if shape["kind"] == "mesh":
            continue  # meshes are the browser's
        look = scene["materials"][shape["material"]]
        ends = np.array([shape["a"], shape["b"]]) if "a" in shape else None
        body = shape["body"] or "world"
        solids.append(Solid(body, surface(shape), look["color"], look["opacity"], shape, ends))
    points = {name: np.reshape(values, (1, -1, 3)) for name, values in rows.items()}
    lines = []
    for record in scene["lines"]:
        line = line_points(
            record,
            lambda at: bare.at(at[0], at[1])[:, 0],
            lambda way: bare.poses[way[0]][:, :3, :3] @ np.array(way[1]),
            points,
        )
        color = scene["materials"][record["material"]]["color"]
        thick = 0.0 if record["kind"] in THIN else 2 * record["radius"]
        lines.append(PlacedLine(line, thick, color, record))
    return PlacedPicture(scene, poses, tuple(solids), tuple(lines))
