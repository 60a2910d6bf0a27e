import { groupBy, median } from '../statistics.js';
import { shown, table } from '../table.js';
import type { Cost, LogRow, LogSample } from './log-cost.js';

/** What a run found, as text: medians over the rounds, a quotient being that of each round's own. */
export function logReport(samples: readonly LogSample[]): string {
  const rows = [...groupBy(samples, ({ row }) => row)].map(([row, own]) => {
    const figure = figureOf(row);
    const cpu = (who: 'client' | 'service') => median(own.flatMap((one) => one[who].cpuMilliseconds ?? []));
    return [
      row.name,
      ...(['client', 'service'] as const).map((who) => shown(median(own.map((one) => figure(one[who]))), 2)),
      shown(median(own.map(({ client, service }) => figure(service) / figure(client))), 2),
      `${row.atOnce === 'many' ? '≥' : '≤'} ${row.aim.toFixed(2)}`,
      shown(cpu('client'), 2),
      shown(cpu('service'), 2),
    ];
  });
  const head = ['', "log's client", 'service', 'service/client', 'aim', 'client CPU ms', 'service CPU ms'];
  const about = 'Many clients: writes a second; one client, and bulks of 500: milliseconds each.';
  return `${about}\n\n${table(head, rows)}\n`;
}

/** What many do in a second, or what one waits for. */
function figureOf({ atOnce }: LogRow): (cost: Cost) => number {
  return ({ rate }) => (atOnce === 'many' ? rate : 1_000 / rate);
}
