import {
  byRow,
  type Figure,
  middle,
  millisecondsEach,
  of,
  processorMilliseconds,
  quotient,
} from '../comparison.js';
import type { CommandFigures } from '../command.js';
import type { ProcessMemory } from '../process-figures.js';
import type { Sample } from '../rounds.js';
import { groupBy } from '../statistics.js';
import { shown, table } from '../table.js';
import type { SizeFigures } from './scale.js';

/** The result of a run with `--scale` as text. */
export function scaleReport(samples: readonly Sample[], figures: readonly SizeFigures[]): string {
  const parts = [
    growthTable('Milliseconds for each request', samples, figures, millisecondsEach),
    growthTable('Processor time of each request, milliseconds', samples, figures, processorMilliseconds),
    storeTable(figures),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A figure for every size, and each divided by that of the first size in the same round. */
function growthTable(
  title: string,
  samples: readonly Sample[],
  figures: readonly SizeFigures[],
  figure: Figure,
): string {
  const sizes = [...new Set(figures.map(({ units }) => units))];
  const rows = [...byRow(samples)].flatMap(([name, row]) =>
    [...groupBy(figures, ({ build }) => build)].map(([build, stores]) => {
      const [first, ...larger] = stores.map(({ contestant }) => contestant);
      return [
        name,
        build,
        ...stores.map(({ contestant }) => shown(middle(row, contestant, figure), 3)),
        ...larger.map((store) => shown(quotient([of(row, store), of(row, first!)], figure), 2)),
      ];
    }),
  );
  const growth = sizes.slice(1).map((size) => `${size}/${sizes[0]}`);
  return `${title}\n\n${table(['', '', ...sizes.map(String), ...growth], rows)}`;
}

function storeTable(figures: readonly SizeFigures[]): string {
  const rows = figures.map((store) => [
    store.contestant,
    shown(store.fillSeconds, 1),
    ...megabytes(store.memory),
    shown(store.startMilliseconds, 0),
    ...megabytes(store.memoryAtStart),
    String(store.rebuild.events),
    shown(store.rebuild.seconds, 1),
    shown(store.rebuild.events / store.rebuild.seconds, 0),
    shown(microsecondsEach(store.rebuild), 1),
    shown(inMegabytes(store.rebuild.peakBytes), 0),
  ]);
  const head = [
    'units',
    'fill s',
    'MB',
    'own MB',
    'start ms',
    'MB',
    'own MB',
    'events',
    'rebuild s',
    'events/s',
    'CPU µs each',
    'peak MB',
  ];
  return `Stores (own: without the pages of mapped files)\n\n${table(head, rows)}`;
}

function megabytes(memory: ProcessMemory | undefined): [string, string] {
  return [shown(inMegabytes(memory?.resident), 0), shown(inMegabytes(memory?.own), 0)];
}

function microsecondsEach({ cpuSeconds, events }: CommandFigures): number | undefined {
  return cpuSeconds === undefined ? undefined : (cpuSeconds * 1e6) / events;
}

function inMegabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1_048_576;
}
