import {
  byRow,
  contestantsIn,
  type Figure,
  middle,
  millisecondsEach,
  of,
  processorMilliseconds,
  quotient,
  ratio,
} from './comparison.js';
import type { Sample } from './rounds.js';
import type { Aim } from './scenarios.js';
import { median, percentile } from './statistics.js';
import { shown, table } from './table.js';

/** The contestant that the others are compared with. */
export const THIS = 'this';

/** What a run found, as text. */
export function report(samples: readonly Sample[], connections: number): string {
  const bulks = samples.filter(({ scenario }) => scenario.ceiling === 'bare_bulk');
  const singles = samples.filter(({ scenario }) => scenario.ceiling === 'bare');
  const many = singles.filter(({ clients }) => clients === 'many');
  const one = singles.filter(({ clients }) => clients === 'one');
  const bareRate = Math.round(median(many.map(({ ceilingRate }) => ceilingRate)));
  const parts = [
    comparison(`${connections} clients: requests a second, of bare Express (${bareRate}/s)`, many, ratio),
    comparison(`${connections} clients: processor time of each, milliseconds`, many, processorMilliseconds),
    comparison('One client, one request after another: milliseconds each', one, millisecondsEach),
    comparison('One client: processor time of each, milliseconds', one, processorMilliseconds),
    comparison('Bulk of 500: milliseconds', bulks, millisecondsEach),
    comparison('Bulk of 500: processor time, milliseconds', bulks, processorMilliseconds),
    keyedTable(samples),
    details(samples),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A figure of every contestant, and this build's divided by each of the others'. */
function comparison(title: string, samples: readonly Sample[], figure: Figure): string {
  if (samples.length === 0) return '';
  const contestants = contestantsIn(samples);
  const others = contestants.filter((contestant) => contestant !== THIS);
  const rows = [...byRow(samples)].map(([name, row]) => [
    name,
    ...contestants.map((contestant) => shown(middle(row, contestant, figure), 2)),
    ...others.map((other) => shown(quotient([of(row, THIS), of(row, other)], figure), 2)),
    aimText(row[0]!.scenario.aims?.[row[0]!.clients], figure),
  ]);
  const head = ['', ...contestants, ...others.map((other) => `${THIS}/${other}`), 'aim'];
  return `${title}\n\n${table(head, rows)}`;
}

function aimText(aim: Aim | undefined, figure: Figure): string {
  if (aim === undefined) return '';
  if ('ofExpress' in aim) return figure === ratio ? `≥ ${aim.ofExpress.toFixed(2)}` : '';
  return figure === millisecondsEach ? `≤ ${aim.ofOther.toFixed(2)} of other` : '';
}

/** What an Idempotency-Key leaves of the rate. */
function keyedTable(samples: readonly Sample[]): string {
  const rows = byRow(samples);
  const contestants = contestantsIn(samples);
  const rate: Figure = (sample) => sample.rate;
  const cells = [...rows].flatMap(([name, keyed]) => {
    const { scenario, clients } = keyed[0]!;
    const plain = samples.filter(
      (sample) => sample.scenario.name === scenario.keyless && sample.clients === clients,
    );
    if (plain.length === 0) return [];
    const parts = contestants.map((who) => shown(quotient([of(keyed, who), of(plain, who)], rate), 2));
    return [[name, ...parts, '≥ 0.90']];
  });
  if (cells.length === 0) return '';
  const title = 'With an Idempotency-Key: requests a second, of the same without';
  return `${title}\n\n${table(['', ...contestants, 'aim'], cells)}`;
}

function details(samples: readonly Sample[]): string {
  const rows = [...byRow(samples)].flatMap(([name, row]) =>
    contestantsIn(row).map((contestant) => {
      const own = of(row, contestant);
      const all = own.flatMap(({ milliseconds }) => [...milliseconds]);
      return [
        name,
        contestant,
        shown(median(own.map(({ rate }) => rate)), 0),
        shown(median(own.map(({ ceilingRate }) => ceilingRate)), 0),
        shown(percentile(all, 0.5), 2),
        shown(percentile(all, 0.99), 2),
        shown(
          middle(own, contestant, (sample) => sample.cpuMicroseconds),
          0,
        ),
        shown(middle(own, contestant, cpuRatio), 1),
      ];
    }),
  );
  const head = ['', '', '/s', 'Express/s', 'p50 ms', 'p99 ms', 'CPU µs', 'times Express'];
  return `All rows: rates, latencies, processor time of each request\n\n${table(head, rows)}`;
}

const cpuRatio: Figure = ({ cpuMicroseconds, ceilingCpuMicroseconds }) =>
  cpuMicroseconds === undefined || ceilingCpuMicroseconds === undefined
    ? undefined
    : cpuMicroseconds / ceilingCpuMicroseconds;
