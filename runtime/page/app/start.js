// What the page carries, unpacked; small words for elements.

const find = (id) => document.getElementById(id);

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function hasContext(kind) {
  try {
    return Boolean(document.createElement("canvas").getContext(kind));
  } catch {
    return false;
  }
}

const hasWebGL = () => (hasWebGL.found ??= hasContext("webgl2"));

/** What of that the page needs this browser does not have. */
function lacking() {
  const missing = hasWebGL() ? [] : ["WebGL 2"];
  if (typeof WebAssembly !== "object") missing.push("WebAssembly");
  if (typeof DecompressionStream !== "function") missing.push("DecompressionStream");
  return missing;
}

/** Says so; without WebGL alone the model is drawn in outlines, else there is a still picture. */
function tellLacking(missing, drawn) {
  const needs = `This page needs ${missing.join(" and ")}, which this browser does not have or has switched off`;
  const text = drawn ? `${needs}: drawn in outlines.` : `${needs}. A current Firefox, Chrome, Edge or Safari shows it.`;
  find("still").hidden = drawn;
  document.body.append(element("p", { class: drawn ? "outlines" : "lacking", id: "lacking" }, text));
}

/** An element; attributes that are functions listen, text is text and never markup. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const ICONS = {
  play: "M4 2l10 6-10 6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  step: "M2 2l7 6-7 6zM11 2h3v12h-3z",
  reset: "M8 2a6 6 0 1 0 6 6h-2a4 4 0 1 1-4-4v3l5-4-5-4z",
  panel: "M1 3h14v2H1zM1 7h14v2H1zM1 11h14v2H1z",
  theme: "M8 1a7 7 0 1 0 0 14zM8 1a7 7 0 0 1 0 14v-2A5 5 0 0 0 8 3z",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A number in so many figures. */
function figures(value, count = 4) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (!(size >= 1e-3 && size < 1e5)) return value.toExponential(Math.min(count - 2, 2)).replace("e+", "e");
  return String(Number(value.toPrecision(count)));
}

/** Tells what went wrong, in a sentence; nothing takes it away. */
function tell(text) {
  find("message").textContent = text;
  find("message").hidden = !text;
}
