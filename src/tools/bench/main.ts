import { join } from 'node:path';
import { type ChildServer, startChildServer } from './child-server.js';
import { LoadGenerator } from './load/load-generator.js';
import { type MeasuredService, startMeasuredService } from './measured-service.js';
import { type BenchOptions, readOptions, USAGE, UsageError } from './options.js';
import { report } from './report.js';
import { chosenScenarios, runRound, type Sample, warmUp } from './rounds.js';
import { syncMilliseconds } from './sync-time.js';

async function bench(options: BenchOptions): Promise<void> {
  if (chosenScenarios(options).length === 0) throw new UsageError('No scenario has such a name.');
  const sync = await syncMilliseconds();
  const started: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(one: T): T => {
    started.push(one);
    return one;
  };
  const stopAll = () => Promise.all(started.splice(0).map((one) => one.stop()));
  process.once('SIGINT', () => void stopAll().then(() => process.exit(130)));
  try {
    const load = keep(new LoadGenerator());
    const bare = keep(await startBareExpress());
    const services: MeasuredService[] = [];
    for (const [label, script] of builds(options)) {
      services.push(keep(await startMeasuredService(label, script, options.profile)));
    }
    const field = { load, bare, services, options };
    await warmUp(field);
    const samples: Sample[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      process.stderr.write(`Round ${round} of ${options.rounds} …\n`);
      samples.push(...(await runRound(field)));
    }
    process.stdout.write(report(samples, sync));
  } finally {
    await stopAll();
  }
}

function startBareExpress(): Promise<ChildServer> {
  return startChildServer({ script: join(__dirname, 'bare-express.js'), environment: {} });
}

function builds({ against }: BenchOptions): [label: string, script: string][] {
  const own: [string, string] = ['this', join(__dirname, '..', '..', 'main.js')];
  return against === undefined ? [own] : [['other', against], own];
}

async function main(): Promise<void> {
  await bench(readOptions(process.argv.slice(2)));
}

main().catch((error: unknown) => {
  const text = error instanceof UsageError ? `${error.message}\n${USAGE}` : (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
