/** Plays with the mutant that is named, in a process of its own, and prints how long it lived. */
import './install.js';
import 'reflect-metadata';
import { playSeed } from '../run.js';
import { shrink } from '../shrink.js';

const SEEDS = 60;
const STEPS = 300;
/** Milliseconds. */
const SHRINKING = 5_000;

async function main(): Promise<void> {
  let steps = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { played, failure } = await playSeed(String(seed), STEPS);
    steps += played;
    if (failure === undefined) continue;
    const shrunk = (await shrink(failure, SHRINKING)).steps.length;
    const { message } = failure;
    return void process.stdout.write(`${JSON.stringify({ steps, seed, shrunk, message })}\n`);
  }
}

void main();
