// The step of the integration: what the fastest motion of the model bears.

const STEPS = [5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6];
const BEARS = 1.4; // |lambda| h; the classical Runge-Kutta method is stable up to 2.8
const SMOOTH = 0.25; // of which it hardly loses energy: (|lambda| h)^6 / 144 of it in a step
const LARGE = 100; // speeds of models whose steps take long, so that they take as few as are smooth
const LARGEST = 5e-3; // [s]
const SMALL = 1e-6; // of the perturbations
const MOST = 30;

const stepWords = (h) => (h < 1e-3 ? `${figures(1e6 * h)} µs` : `${figures(1e3 * h)} ms`);

/**
 * `ordinary`, or the largest step of the list that the fastest motion about the state bears; of
 * large models the largest one that resolves it well.
 *
 * Its rate is found by powers of the Jacobian of the first-order system, whose products with a
 * vector are differences of its rates (Sommeijer, Shampine and Verwer, RKC, 1998): two at a time,
 * since coordinates and speeds take turns. Models with loops, whose rates no function of the page
 * tells, keep the ordinary step.
 */
function steadyStep(machine, ordinary) {
  const rate = machine.model.has("forward_dynamics") ? fastest(machine) : 0;
  if (rate && machine.nu >= LARGE) {
    const smooth = STEPS.find((h) => h <= LARGEST && rate * h <= SMOOTH);
    if (smooth > ordinary) return smooth;
  }
  if (!(rate * ordinary > BEARS)) return ordinary;
  return STEPS.find((h) => h < ordinary && rate * h <= BEARS) ?? STEPS.at(-1);
}

/** The largest |lambda| of the linearized motion about the state [1/s]; 0 where there is none. */
function fastest(machine) {
  const { model } = machine;
  const parts = ["q", "u", "z"].map((name) => model.input(name)).filter(Boolean);
  parts[1] = parts[1].subarray(0, machine.nu);
  const kept = parts.map((values) => Float64Array.from(values));
  const told = ["coordinate_rates", "forward_dynamics", "element_state_rates"].filter((name) => model.has(name));
  const rates = () => told.flatMap((name) => Array.from(Object.values(model.call(name))[0]));
  const length = (v) => Math.hypot(...v);
  let still;
  const times = (v) => {
    let k = 0;
    parts.forEach((values, p) => values.forEach((_, i) => (values[i] = kept[p][i] + SMALL * v[k++])));
    return rates().map((value, i) => (value - still[i]) / SMALL);
  };
  let found = 0;
  try {
    still = rates();
    let v = still.map((_, k) => 1 + Math.sin(k + 1)); // no direction is left out
    for (let n = 0; n < MOST; n++) {
      const size = length(v);
      const next = times(times(v.map((x) => x / size)));
      const rate = Math.sqrt(length(next));
      if (!(rate > 0 && Number.isFinite(rate))) break;
      const settled = Math.abs(rate - found) < 0.01 * rate;
      found = rate;
      if (settled && n > 3) break;
      v = next;
    }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
  }
  parts.forEach((values, p) => values.set(kept[p]));
  return found;
}
