// A coordinate is set by hand: loops are closed in the others, the one set keeps its value.

/** Sets a coordinate and stops the motion; false if the loops do not close with it. */
function setCoordinate(machine, k, value) {
  const { model } = machine;
  const q = model.input("q");
  const before = Float64Array.from(q);
  q[k] = value;
  model.input("u").fill(0, 0, machine.nu);
  const closed = !machine.constrained || closeWith(machine, k);
  if (!closed) q.set(before);
  machine.project();
  machine.failure = null;
  machine.restart();
  return closed;
}

/** Closes the loops in coordinates other than k. */
function closeWith(machine, k) {
  const { model } = machine;
  const q = model.input("q");
  const { coordinates, speeds } = model.manifest.metadata;
  const held = speeds.indexOf(coordinates[k]);
  const wanted = Float64Array.from(q);
  const count = independentCount(model);
  const proposed = Array.from(model.order);
  const tries = proposed.slice(0, count).includes(held) ? [proposed] : swapped(proposed, count, held);
  for (const order of tries) {
    q.set(wanted);
    model.order.set(order);
    try {
      model.solve("dependent_coordinates", [0, 50]);
      return true;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
    }
  }
  return false;
}

function independentCount(model) {
  try {
    return model.independent();
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return 0;
  }
}

/** Orders in which the held speed takes the place of one of the independent ones. */
function swapped(order, count, held) {
  const place = order.indexOf(held);
  return Array.from({ length: count }, (_, k) => {
    const other = [...order];
    [other[k], other[place]] = [other[place], other[k]];
    return other;
  });
}

/** Moves along one speed: what turns freely has no coordinate of its own to set. */
function moveAlong(machine, k, amount) {
  const { model } = machine;
  const du = model.input("du");
  du.fill(0);
  du[k] = amount;
  const q = model.input("q");
  q.set(Object.values(model.call("integrate"))[0]);
  model.input("u").fill(0, 0, machine.nu);
  machine.project();
  machine.failure = null;
  machine.restart();
}
