import { NO_FAULTS } from './faults.js';
import { type Failure, playSteps } from './run.js';
import type { SimulationOptions } from './simulation.js';
import type { Step } from './step.js';

/**
 * Takes away whatever is not needed for a failure: blocks of steps, halving their size (delta debugging), then crashes,
 * faults, flows and calls of the steps that are left. Another failure is as good, as long as there is one.
 * @param milliseconds after so long of real time the best so far is good enough.
 */
export async function shrink(
  failure: Failure,
  milliseconds: number,
  options: SimulationOptions = {},
): Promise<Failure> {
  const deadline = Date.now() + milliseconds;
  let best = failure;
  const holds = async (steps: readonly Step[]): Promise<boolean> => {
    if (Date.now() > deadline) return false;
    const message = await playSteps(failure.seed, steps, options);
    if (message === undefined) return false;
    best = { ...failure, message, steps };
    return true;
  };
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best.steps.length;) {
      const without = [...best.steps.slice(0, from), ...best.steps.slice(from + size)];
      if (without.length === 0 || !(await holds(without))) from += size;
    }
  }
  for (let place = 0; place < best.steps.length; place += 1) {
    for (const simpler of simplerThan(best.steps[place]!)) await holds(withStep(best.steps, place, simpler));
  }
  return best;
}

function simplerThan(step: Step): Step[] {
  const simpler: Step[] = [];
  if (step.crash !== null) simpler.push({ ...step, crash: null });
  if (step.flow !== null && step.calls.length > 0) simpler.push({ ...step, flow: null });
  for (let place = step.calls.length - 1; place >= 0 && step.calls.length > 1; place -= 1) {
    simpler.push({ ...step, calls: step.calls.filter((_, other) => other !== place) });
  }
  simpler.push({ ...step, faults: NO_FAULTS });
  return simpler;
}

function withStep(steps: readonly Step[], place: number, step: Step): Step[] {
  return steps.map((other, at) => (at === place ? step : other));
}
