import { groupBy, median } from '../statistics.js';
import { shown, table } from '../table.js';
import type { LogSample } from './log-cost.js';

/** The result as text: the medians of the figures, and of their quotients in each round. */
export function logReport(samples: readonly LogSample[]): string {
  const rows = [...groupBy(samples, ({ row }) => row)].map(([{ name }, own]) => {
    const cells = (figure: 'rate' | 'cpuMicroseconds', decimals: number) => [
      ...(['client', 'adapter'] as const).map((who) =>
        shown(median(own.map((one) => one[who][figure])), decimals),
      ),
      shown(median(own.map(({ client, adapter }) => adapter[figure] / client[figure])), 2),
    ];
    return [name, ...cells('rate', 0), ...cells('cpuMicroseconds', 1)];
  });
  const head = ['', "log's client", 'adapter', 'of client', 'client CPU µs', 'adapter CPU µs', 'of client'];
  return `Appends, bulks of 500 or events read, a second; processor time of each.\n\n${table(head, rows)}\n`;
}
