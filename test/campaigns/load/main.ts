import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from '../../../src/tools/bench/statistics.js';
import { UsageError } from '../../../src/cli/output.js';
import { runCommand } from '../../support/command-line.js';
import { type HeldLoad, type HeldLoadPlan, holdLoad } from './held-load.js';

const USAGE = `Usage: npm run test:load -- [options]
  --minutes N   how long the load is held (10)
  --share N     part of the ceiling that is held (0.8)
  --lanes N     connections with units of their own (32)
  --slow N      clients that stop within headers, and as many within bodies (20)
  --script F    the main.js of a build (dist/main.js)`;

const BUILD = join(__dirname, '../../../dist/main.js');
const MEGABYTE = 1024 * 1024;

function readPlan(argv: readonly string[]): HeldLoadPlan {
  const text = { type: 'string' } as const;
  const options = { minutes: text, share: text, lanes: text, slow: text, script: text };
  const { values } = parseArgs({ args: [...argv], options });
  const number = (name: 'minutes' | 'share' | 'lanes' | 'slow', usual: number): number => {
    const value = Number(values[name] ?? usual);
    if (value > 0) return value;
    throw new UsageError(`--${name} must be a number above 0.`);
  };
  return {
    program: { script: values.script ?? BUILD, nodeArguments: [] },
    ceilingSeconds: 10,
    seconds: number('minutes', 10) * 60,
    share: number('share', 0.8),
    lanes: number('lanes', 32),
    slow: number('slow', 20),
    windowSeconds: 30,
  };
}

const shown = (milliseconds: number) => milliseconds.toFixed(1).padStart(8);

function report(plan: HeldLoadPlan, load: HeldLoad): string {
  const { held, samples, probe, stop } = load;
  const rate = held.requests / held.seconds;
  const lines = [
    `ceiling ${Math.round(load.ceiling)} requests/s; held ${Math.round(rate)}/s for ${held.seconds.toFixed(0)} s`,
    `${held.requests} requests, ${held.errors.length} errors, ${load.slowClientsCut} slow clients cut and replaced`,
    '',
    'from       requests      p50      p99      max   (ms from when the request was due)',
  ];
  for (const { second, requests, p50, p99, max } of held.windows) {
    lines.push(
      `${String(second).padStart(4)} s  ${String(requests).padStart(10)} ${shown(p50)} ${shown(p99)} ${shown(max)}`,
    );
  }
  lines.push('');
  for (const [kind, { requests, p50, p99 }] of Object.entries(held.kinds)) {
    lines.push(`${kind.padEnd(14)} ${String(requests).padStart(8)} ${shown(p50)} ${shown(p99)}`);
  }
  lines.push(
    '',
    `/health         p50 ${shown(probe.p50)} p99 ${shown(probe.p99)} max ${shown(probe.max)}`,
    `loop delay, of each second: median p50 ${shown(middle(samples, 'p50'))}, median p99 ${shown(middle(samples, 'p99'))}, max ${shown(Math.max(...samples.map(({ max }) => max)))}`,
    `RSS, MB                   ${spread(samples, 'rss')}`,
    `without mapped files, MB  ${spread(samples, 'own')}`,
    `heap, MB                  ${spread(samples, 'heap')}`,
    '',
    `SIGTERM under full load: exit ${stop.code} after ${Math.round(stop.milliseconds)} ms; ${stop.turnedAway} of ${plan.lanes} connections turned away, ${stop.errors.length} errors`,
    `${load.remembered} acknowledged facts and log entries looked for afterwards, ${load.lost.length} lost`,
    ...load.held.errors,
    ...stop.errors,
    ...load.lost,
    ...load.logged.slice(0, 20),
  );
  return lines.join('\n');
}

type Samples = HeldLoad['samples'];

function middle(samples: Samples, name: 'p50' | 'p99'): number {
  return percentile(
    samples.map((sample) => sample[name]),
    0.5,
  );
}

/** Eight values spread evenly over the run. */
function spread(samples: Samples, name: 'rss' | 'own' | 'heap'): string {
  const steps = Array.from({ length: 8 }, (_, step) => Math.floor((step * (samples.length - 1)) / 7));
  return steps.map((at) => Math.round((samples[at]?.[name] ?? 0) / MEGABYTE)).join(' ');
}

function isGood({ held, stop, lost, logged }: HeldLoad): boolean {
  const faults = held.errors.length + held.turnedAway + stop.errors.length + lost.length + logged.length;
  return faults === 0 && stop.code === 0 && stop.milliseconds < 10_000;
}

async function main(): Promise<void> {
  const plan = readPlan(process.argv.slice(2));
  const load = await holdLoad(plan);
  process.stdout.write(`${report(plan, load)}\n`);
  if (!isGood(load)) process.exitCode = 1;
}

runCommand(USAGE, main);
