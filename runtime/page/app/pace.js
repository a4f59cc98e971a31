// How many times faster than real time the steps are, on this machine.

const SECOND = 1000; // after which it is told anew [ms]
const CLEAR = 5; // what a browser's coarse clock tells well [ms]

class Pace {
  constructor(machine) {
    this.machine = machine;
    this.spent = this.steps = 0;
    this.since = performance.now();
    /** Of one step [ms]; null before any was measured. */
    this.cost = this.#tried();
  }

  /** Seconds of the model in a second that it took to integrate them; null where it takes no steps. */
  get factor() {
    return this.cost ? (1000 * this.machine.h) / this.cost : null;
  }

  /** Steps that were taken, and the time that they took [ms]. */
  add(steps, taken) {
    this.steps += steps;
    this.spent += taken;
    if (performance.now() - this.since < SECOND) return;
    this.cost = this.spent >= CLEAR ? this.spent / this.steps : this.#tried() ?? this.cost;
    this.spent = this.steps = 0;
    this.since = performance.now();
  }

  /** Of steps that are taken back: those of a small model are too few in a second to be timed. */
  #tried() {
    const { machine } = this;
    if (!machine.model.stepping || machine.failure) return null;
    const kept = machine.keep();
    let cost = null;
    try {
      for (let count = 1, taken = 0; taken < CLEAR && count < 1e6; count *= 4) {
        const began = performance.now();
        machine.model.step(machine.h, count);
        taken = performance.now() - began;
        if (taken > 0) cost = taken / count;
      }
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
    }
    machine.take(kept);
    return cost;
  }
}
