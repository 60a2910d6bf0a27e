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
import { median, percentile } from './statistics.js';
import { shown, table } from './table.js';

/** The contestant with which the others are compared: this build. */
export const THIS = 'this';
/** The contestant on PostgreSQL. */
export const PEER = 'peer';

/** The tables of a run, as text. */
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

/** A figure of every contestant, and this build's figure divided by each other one. */
function comparison(title: string, samples: readonly Sample[], figure: Figure): string {
  if (samples.length === 0) return '';
  const contestants = contestantsIn(samples);
  const others = contestants.filter((contestant) => contestant !== THIS);
  const rows = [...byRow(samples)].map(([name, row]) => {
    const quotients = others.map((other) => quotient([of(row, THIS), of(row, other)], figure));
    return [
      name,
      ...contestants.map((contestant) => shown(middle(row, contestant, figure), 2)),
      ...quotients.map((value) => shown(value, 2)),
    ];
  });
  const quotientHeads = others.map((other) => `${THIS}/${other}`);
  const head = ['', ...contestants, ...quotientHeads];
  return `${title}\n\n${table(head, rows)}`;
}

/** The rate with an Idempotency-Key as a share of the rate without it. */
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
    return [[name, ...parts]];
  });
  if (cells.length === 0) return '';
  const title = 'With an Idempotency-Key: requests a second, of the same without';
  return `${title}\n\n${table(['', ...contestants], cells)}`;
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
