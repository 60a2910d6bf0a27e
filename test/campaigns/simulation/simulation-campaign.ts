import type { Campaign, Round } from '../campaign.js';
import { type Failure, playSeed } from './run.js';
import { shrink } from './shrink.js';

const STEPS = 480;
/** Milliseconds. */
const SHRINKING = 90_000;

export const simulation: Campaign = {
  name: 'simulation',
  about: 'random facilities against a naive model; shrinks what fails',
  async play({ seed, seconds, say }: Round): Promise<string> {
    const begun = Date.now();
    let [seeds, steps, requests, crashes] = [0, 0, 0, 0];
    const faults = new Map<string, number>();
    do {
      const outcome = await playSeed(String(seed + seeds), STEPS);
      seeds += 1;
      steps += outcome.played;
      requests += outcome.requests;
      crashes += outcome.crashes;
      for (const [name, count] of outcome.faults) faults.set(name, (faults.get(name) ?? 0) + count);
      if (outcome.failure !== undefined) throw await explained(outcome.failure, say);
    } while (Date.now() - begun < seconds * 1_000);
    say(`faults: ${[...faults].map(([name, count]) => `${name} ${count}`).join(', ')}`);
    return `${seeds} seeds from ${seed} on, ${steps} steps, ${requests} requests, ${crashes} crashes`;
  },
};

async function explained(failure: Failure, say: (line: string) => void): Promise<Error> {
  const { seed, steps, message } = failure;
  say(`Seed ${seed} fails at step ${steps.length}: ${message}`);
  const shortest = await shrink(failure, SHRINKING);
  say(`Shrunk from ${steps.length} to ${shortest.steps.length} steps: ${shortest.message}`);
  for (const step of shortest.steps) say(JSON.stringify(step));
  return new Error(`Seed ${seed}: ${shortest.message}`);
}
