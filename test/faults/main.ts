import { parseArgs } from 'node:util';
import { crash } from './crash/crash.js';

/** `npm run test:faults -- [--kills N] [--seconds S] [--writers N] [--seed N]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '1800' },
      writers: { type: 'string', default: '16' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const [kills, seconds, writers, seed] = [values.kills, values.seconds, values.writers, values.seed].map(
    Number,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const began = Date.now();
  process.stdout.write(`crash: ${kills} kills, ${writers} writers, seed ${seed}\n`);
  const figures = await crash({
    kills: kills!,
    seconds: seconds!,
    writers: writers!,
    seed: seed!,
    log: (line) => void process.stdout.write(`  ${line}\n`),
  });
  const took = ((Date.now() - began) / 1_000).toFixed(0);
  process.stdout.write(`crash: all as it must be, in ${took} s: ${JSON.stringify(figures)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
