import type { Sample } from './rounds.js';
import { median, percentile } from './statistics.js';

/** The machine on which the aims for bulks were set: what bare Express does there per second. */
const REFERENCE_RATE = 13_000;

/** What a run found, as text. */
export function report(samples: readonly Sample[], syncMilliseconds: number): string {
  const singles = samples.filter(({ scenario }) => !scenario.alone);
  const bulks = samples.filter(({ scenario }) => scenario.alone);
  const parts = [`One small durable write on this disk: ${syncMilliseconds.toFixed(2)} ms.`];
  const bareRate = median(singles.map(({ ceilingRate }) => ceilingRate));
  if (singles.length > 0)
    parts.push(`Bare Express: ${Math.round(bareRate)} requests/s = 1.00`, singleTable(singles));
  if (bulks.length > 0) parts.push(bulkTable(bulks, REFERENCE_RATE / bareRate));
  return `${parts.join('\n\n')}\n`;
}

function singleTable(samples: readonly Sample[]): string {
  const rows = grouped(samples).map((group) => {
    const { scenario } = group[0]!;
    const ratio = median(group.map(({ rate, ceilingRate }) => rate / ceilingRate));
    return [
      nameOf(group, samples),
      ratio.toFixed(2),
      scenario.aim?.toFixed(2) ?? '',
      String(Math.round(median(group.map(({ rate }) => rate)))),
      ...latencies(group),
      ...processorTime(group),
    ];
  });
  return table(['request', 'ratio', 'aim', '/s', 'p50 ms', 'p99 ms', 'CPU µs', 'CPU ratio'], rows);
}

/** @param scale how much slower this machine is than the one of the aims; NaN where that was not measured. */
function bulkTable(samples: readonly Sample[], scale: number): string {
  const rows = grouped(samples).map((group) => {
    const { scenario } = group[0]!;
    const parsing = median(group.map(({ ceilingRate }) => 1000 / ceilingRate));
    const times = median(group.map(({ rate, ceilingRate }) => ceilingRate / rate));
    const aim = scenario.aim === undefined || Number.isNaN(scale) ? '' : (scenario.aim * scale).toFixed(1);
    return [
      nameOf(group, samples),
      median(group.map(({ rate }) => 1000 / rate)).toFixed(1),
      aim,
      parsing.toFixed(1),
      times.toFixed(1),
      ...latencies(group),
      ...processorTime(group),
    ];
  });
  const head = [
    'bulk of 500',
    'ms',
    'aim here',
    'Express ms',
    'times',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'CPU ratio',
  ];
  return table(head, rows);
}

/** Samples of one scenario on one service together, in the order in which they were first seen. */
function grouped(samples: readonly Sample[]): Sample[][] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = `${sample.scenario.name} ${sample.service}`;
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups.values()];
}

/** With the build's name where several are compared. */
function nameOf(group: readonly Sample[], all: readonly Sample[]): string {
  const { scenario, service } = group[0]!;
  return new Set(all.map((sample) => sample.service)).size === 1
    ? scenario.name
    : `${scenario.name} (${service})`;
}

function latencies(group: readonly Sample[]): string[] {
  const all = group.flatMap(({ milliseconds }) => [...milliseconds]);
  return [percentile(all, 0.5).toFixed(1), percentile(all, 0.99).toFixed(1)];
}

/** Of a request, and how much of it bare Express would need: on a busy machine the steadiest figure. */
function processorTime(group: readonly Sample[]): string[] {
  const known = group.filter(({ cpuMicroseconds }) => cpuMicroseconds !== undefined);
  if (known.length === 0) return ['', ''];
  const ratio = median(known.map((one) => one.ceilingCpuMicroseconds! / one.cpuMicroseconds!));
  return [String(Math.round(median(known.map((one) => one.cpuMicroseconds!)))), ratio.toFixed(2)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
