// Curves over time as the model moves; one axis a unit.

const COLORS = ["#2f7ed8", "#e8743b", "#2fa36b", "#b05cc6", "#c9a227", "#d1495b", "#3aa6b9", "#8a6d5b"];
const KEPT = 900;

class Plots {
  constructor(box) {
    this.box = box;
    this.chosen = [];
    this.times = [];
    this.rows = [];
  }

  choose(list) {
    this.chosen = list.map((channel, k) => ({ ...channel, color: COLORS[k % COLORS.length] }));
    this.clear();
    const units = [...new Set(this.chosen.map((channel) => channel.unit))];
    this.parts = units.map((unit) => {
      const canvas = element("canvas", { role: "img", "aria-label": `curves in ${unit}` });
      const legend = element("div", { class: "legend" });
      return { unit, canvas, legend, box: element("div", { class: "plot" }, canvas, legend) };
    });
    this.box.replaceChildren(...this.parts.map((part) => part.box));
    for (const part of this.parts) {
      part.values = this.chosen.filter((channel) => channel.unit === part.unit).map((channel) => {
        const value = element("span");
        const mark = element("i");
        mark.style.background = channel.color;
        part.legend.append(element("span", { title: channel.title }, mark, `${channel.name} `, value));
        return value;
      });
    }
  }

  clear() {
    this.times = [];
    this.rows = [];
  }

  /** Keeps the values of now. */
  add(t) {
    if (this.times.length && t <= this.times.at(-1)) {
      if (t < this.times.at(-1)) this.clear();
      else this.rows.pop(), this.times.pop();
    }
    this.times.push(t);
    this.rows.push(this.chosen.map((channel) => {
      try {
        return channel.value();
      } catch {
        return NaN;
      }
    }));
    if (this.times.length > KEPT) {
      // Every other old point goes: the whole motion stays in sight.
      const keep = (_, k, all) => k % 2 === 0 || k > all.length - 200;
      [this.times, this.rows] = [this.times.filter(keep), this.rows.filter(keep)];
    }
  }

  draw() {
    if (!this.box.isConnected || !this.box.offsetParent) return;
    const ink = getComputedStyle(document.documentElement);
    const soft = ink.getPropertyValue("--soft");
    const line = ink.getPropertyValue("--line");
    for (const part of this.parts ?? []) this.#part(part, soft, line);
  }

  #part({ unit, canvas, values, box }, soft, line) {
    const columns = this.chosen.flatMap((channel, k) => (channel.unit === unit ? [k] : []));
    let [low, high] = [Infinity, -Infinity];
    for (const row of this.rows) for (const k of columns) if (Number.isFinite(row[k])) [low, high] = [Math.min(low, row[k]), Math.max(high, row[k])];
    box.hidden = !(high >= low); // nothing to tell, as of balances while a recording is shown
    if (box.hidden) return;
    const scale = Math.min(devicePixelRatio, 2);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * scale)) Object.assign(canvas, { width: width * scale, height: height * scale });
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (high - low < 1e-12 * Math.max(1, Math.abs(high))) {
      const room = Math.abs(high) || 1;
      [low, high] = [low - 0.5 * room, high + 0.5 * room];
    }
    const [left, right, top, bottom] = [52, 6, 20, 16];
    const t0 = this.times[0];
    const t1 = Math.max(this.times.at(-1), t0 + 1);
    const x = (t) => left + ((t - t0) / (t1 - t0)) * (width - left - right);
    const y = (v) => height - bottom - ((v - low) / (high - low)) * (height - top - bottom);
    pen.font = "10px system-ui, sans-serif";
    pen.fillStyle = soft;
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const v of [low, (low + high) / 2, high]) {
      pen.beginPath();
      pen.moveTo(left, y(v));
      pen.lineTo(width - right, y(v));
      pen.stroke();
      pen.fillText(figures(v, 3), left - 5, y(v) + 3);
    }
    pen.textAlign = "left";
    pen.fillText(unit.trim(), left, 10);
    pen.fillText(`${figures(t0)} s`, left, height - 3);
    pen.textAlign = "right";
    pen.fillText(`${figures(t1)} s`, width - right, height - 3);
    columns.forEach((k, n) => {
      pen.strokeStyle = this.chosen[k].color;
      pen.fillStyle = this.chosen[k].color;
      pen.lineWidth = 1.6;
      pen.lineJoin = "round";
      pen.beginPath();
      this.rows.forEach((row, i) => pen.lineTo(x(this.times[i]), y(row[k])));
      pen.stroke();
      pen.beginPath();
      pen.arc(x(this.times.at(-1)), y(this.rows.at(-1)[k]), 2.4, 0, 7);
      pen.fill();
      const last = this.rows.at(-1)[k];
      values[n].textContent = Number.isFinite(last) ? figures(last) : "–";
    });
  }
}
