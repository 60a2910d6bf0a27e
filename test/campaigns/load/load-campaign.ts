import { percentile } from '../../../tools/bench/statistics.js';
import type { Campaign } from '../campaign.js';
import { type HeldLoad, type HeldLoadPlan, holdLoad } from './held-load.js';

const MEGABYTE = 1024 * 1024;
const PLAN = { share: 0.8, lanes: 32, slow: 20, windowSeconds: 30 };

export const load: Campaign = {
  name: 'load',
  about: 'load held, slow clients beside it, and a stop in its midst',
  async play({ seconds, say }) {
    const plan: HeldLoadPlan = {
      ...PLAN,
      ceilingSeconds: seconds > 60 ? 10 : 3,
      seconds: Math.max(seconds - 10, 5),
    };
    const held = await holdLoad(plan);
    for (const line of report(plan, held)) say(line);
    if (!isGood(held)) throw new Error('There were errors, or something was lost.');
    return `${held.held.requests} requests, ${held.remembered} acknowledged looked for afterwards`;
  },
};

const shown = (milliseconds: number) => milliseconds.toFixed(1).padStart(8);

function report(plan: HeldLoadPlan, load: HeldLoad): string[] {
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
  return lines;
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
  return faults === 0 && stop.code === 0;
}
