import 'reflect-metadata';
import { Simulation } from './simulation.js';
import { type Step, weightOf } from './step.js';

async function main(): Promise<void> {
  const seed = process.argv[2] ?? '1';
  const wanted = Number(process.argv[3] ?? 100);
  const simulation = await Simulation.open(seed);
  const record: Step[] = [];
  const begun = Date.now();
  let played = 0;
  try {
    for (let id = 1; played < wanted; id += 1) {
      await simulation.playNew(id, record, process.argv[4] === 'quiet');
      played += weightOf(record.at(-1)!);
    }
    await simulation.finish();
  } catch (error) {
    console.log(error, JSON.stringify(record.at(-1)));
    process.exitCode = 1;
  }
  console.log(
    simulation.deployment,
    record.length,
    played,
    simulation.requests,
    (Date.now() - begun) / 1000,
    simulation.fingerprint.slice(0, 12),
    simulation.crashes,
    Object.fromEntries(simulation.faultCounts),
  );
}

void main();
