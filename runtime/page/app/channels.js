// Units of what moves, by name: of coordinates, and of forces on speeds.

const OF_FORCES = { rad: "N m", m: "N" };

function unitsOf({ joints = [], further_units = {} }) {
  const units = { ...further_units };
  const forces = {};
  for (const joint of joints) {
    joint.coordinates.forEach((name, k) => (units[name] = joint.units[k]));
    if (joint.units.length === joint.speeds.length) joint.speeds.forEach((name, k) => (forces[name] = OF_FORCES[joint.units[k]] ?? ""));
  }
  return { units, forces };
}

// What can be plotted: coordinates, speeds, energies, how well constraints hold, what elements tell.

function channels(machine) {
  const { model } = machine;
  const { coordinates, speeds } = model.manifest.metadata;
  const { units } = unitsOf(model.manifest.metadata);
  const q = model.input("q");
  const u = model.input("u");
  const list = [
    ...coordinates.map((name, k) => ({ name, unit: units[name] ?? "", value: () => q[k], kind: "coordinate" })),
    ...speeds.map((name, k) => ({
      name: `${name}′`, unit: units[name] ? `${units[name]}/s` : "1/s", value: () => u[k], kind: "speed",
    })),
  ];
  const told = (name, what) => model.has(what) && list.push({ name, unit: "J", value: () => model.value(what), kind: "energy" });
  if (model.has("kinetic_energy") || model.has("potential_energy")) {
    list.push({ name: "energy", unit: "J", value: () => machine.energy(), kind: "energy" });
  }
  told("kinetic", "kinetic_energy");
  told("potential", "potential_energy");
  if (model.has("power")) {
    list.push({
      name: "energy − work", unit: "J ", value: () => (machine.replaying ? NaN : machine.energy() - machine.begin - machine.work), kind: "balance",
      title: `energy gained less the work of forces without potential: what ${model.stepping?.contacts ? "contacts take" : "the integration loses"}`,
    });
  }
  if (machine.constrained) {
    list.push({ name: "constraints", unit: "residual", value: () => machine.residual(), kind: "balance", title: "largest residual of the constraints: m, rad" });
  }
  if (model.has("element_outputs")) {
    const { rows } = model.manifest.functions.element_outputs.outputs[0];
    rows.forEach((name, k) => {
      list.push({ name, unit: units[name] ?? "told", value: () => Object.values(model.call("element_outputs"))[0][k], kind: "told" });
    });
  }
  return list;
}
