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
    let [seeds, steps, requests, crashes, texts] = [0, 0, 0, 0, 0];
    const [faults, acts] = [new Map<string, number>(), new Map<string, number>()];
    do {
      const outcome = await playSeed(String(seed + seeds), STEPS);
      seeds += 1;
      steps += outcome.played;
      requests += outcome.requests;
      crashes += outcome.crashes;
      texts += outcome.texts;
      add(outcome.faults, faults);
      add(outcome.acts, acts);
      if (outcome.failure !== undefined) throw await explained(outcome.failure, say);
    } while (Date.now() - begun < seconds * 1_000);
    say(`faults: ${listed(faults)}`);
    say(`acts: ${listed(acts)}`);
    return `${seeds} seeds from ${seed} on, ${steps} steps, ${requests} requests, ${crashes} crashes, ${texts} texts`;
  },
};

function add(more: ReadonlyMap<string, number>, counts: Map<string, number>): void {
  for (const [name, count] of more) counts.set(name, (counts.get(name) ?? 0) + count);
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

async function explained(failure: Failure, say: (line: string) => void): Promise<Error> {
  const { seed, steps, message } = failure;
  say(`Seed ${seed} fails at step ${steps.length}: ${message}`);
  const shortest = await shrink(failure, SHRINKING);
  say(`Shrunk from ${steps.length} to ${shortest.steps.length} steps: ${shortest.message}`);
  for (const step of shortest.steps) say(JSON.stringify(step));
  return new Error(`Seed ${seed}: ${shortest.message}`);
}
