import type { CommandFigures } from '../command.js';
import { groupBy, median } from '../statistics.js';
import { shown, table } from '../table.js';
import type { PassAim, PassSample } from './passes.js';

/** What a run over the log's passes found, as text: medians over the rounds, a quotient being that of each round's own. */
export function passesReport(samples: readonly PassSample[]): string {
  const events = Math.max(...samples.map(({ client }) => client.events));
  const clients = [...new Set(samples.map(({ client }) => client))];
  const rows = [...groupBy(samples, ({ pass, build }) => `${pass.name} ${build}`)].map(([name, own]) => {
    const quotient = (figure: Figure) => median(own.map((one) => figure(one.figures) / figure(one.client)));
    const figures = own.map((one) => one.figures);
    return [
      name,
      ...cellsOf(figures),
      shown(quotient(rateOf), 2),
      aimText(own[0]!.pass.aim),
      shown(quotient(cpuOf), 2),
    ];
  });
  const head = ['', 'events/s', 'CPU µs each', 'peak MB', 'of client', 'aim', "client's CPU"];
  const about = `Whole commands over ${events} events, each with its start; the log's own client reads them all.`;
  const client = ["log's client", ...cellsOf(clients), '', '', ''];
  return `${about}\n\n${table(head, [client, ...rows])}\n`;
}

type Figure = (figures: CommandFigures) => number;

function rateOf({ events, seconds }: CommandFigures): number {
  return events / seconds;
}

/** Microseconds each; NaN where the system does not tell. */
function cpuOf({ events, cpuSeconds = NaN }: CommandFigures): number {
  return (cpuSeconds * 1e6) / events;
}

function cellsOf(figures: readonly CommandFigures[]): string[] {
  const peak = median(figures.map(({ peakBytes = NaN }) => peakBytes / 1_048_576));
  return [shown(median(figures.map(rateOf)), 0), shown(median(figures.map(cpuOf)), 1), shown(peak, 0)];
}

function aimText(aim: PassAim): string {
  return 'rate' in aim ? `≥ ${aim.rate}/s` : `≥ ${aim.ofClient.toFixed(2)}`;
}
