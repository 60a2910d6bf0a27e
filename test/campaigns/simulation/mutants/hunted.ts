/** Plays with the mutant that is named, or one seed without any, and prints how long it held if it failed. */
import './install.js';
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { playSeed } from '../run.js';
import { shrink } from '../shrink.js';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);
const STEPS = 300;
/** Milliseconds. */
const SHRINKING = 5_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { mutant: { type: 'string' }, seed: { type: 'string' } } });
  const seeds = values.seed === undefined ? SEEDS : [Number(values.seed)];
  let steps = 0;
  for (const seed of seeds) {
    const { played, failure } = await playSeed(String(seed), STEPS);
    steps += played;
    if (failure === undefined) continue;
    const shrunk = (await shrink(failure, SHRINKING)).steps.length;
    const { message } = failure;
    return void process.stdout.write(`${JSON.stringify({ steps, seed, shrunk, message })}\n`);
  }
}

void main();
