import { BULK_SIZE } from '../bulk-body.js';
import type { LoadGenerator } from '../load/load-generator.js';
import { type Build, type MeasuredService, startMeasuredService } from '../measured-service.js';
import type { BenchOptions } from '../options.js';
import { LogClient } from './log-client.js';

/** One kind of write: what the service is asked, and what of it reaches the log. */
export interface LogRow {
  readonly name: string;
  readonly scenario: 'move_in_new' | 'bulk_new';
  /** Streams that one request appends to. */
  readonly streams: number;
  readonly atOnce: 'many' | 'one';
  /** Of the rate of the client where many write at once, else of its time. */
  readonly aim: number;
}

export const LOG_ROWS: readonly LogRow[] = [
  { name: 'move_in_new', scenario: 'move_in_new', streams: 1, atOnce: 'many', aim: 0.3 },
  { name: 'move_in_new_one', scenario: 'move_in_new', streams: 1, atOnce: 'one', aim: 3 },
  { name: 'bulk_new', scenario: 'bulk_new', streams: BULK_SIZE, atOnce: 'one', aim: 2 },
];

export interface Cost {
  /** Requests, or appends of what one request appends, a second. */
  readonly rate: number;
  readonly cpuMilliseconds: number | undefined;
}

/** A row in one round: the client, and right after it the service. */
export interface LogSample {
  readonly row: LogRow;
  readonly client: Cost;
  readonly service: Cost;
}

export interface LogField {
  readonly load: LoadGenerator;
  /** The build, with the address of the event store in its environment and its documents embedded. */
  readonly build: Build;
  readonly url: string;
  readonly options: Pick<BenchOptions, 'seconds' | 'rounds' | 'connections' | 'only'>;
}

/** Of each row, unmeasured: a process that has just started spends half as much again on a move-in, as it compiles. */
const WARM_UP_SECONDS = 5;

/**
 * What a write costs with its events on EventStoreDB, beside the log's own client appending the very same events, to streams
 * of other names, in turn with it.
 */
export async function measureLogCost(field: LogField): Promise<LogSample[]> {
  const { only, rounds, seconds } = field.options;
  const rows = LOG_ROWS.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  const service = await startMeasuredService(field.build);
  const client = new LogClient(field.url);
  try {
    const samples: LogSample[] = [];
    for (const row of rows) {
      await ofService(field, service, row, WARM_UP_SECONDS);
      await client.do({ learn: row.name, streams: row.streams });
      await ofClient(field, client, row, WARM_UP_SECONDS);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const row of rows) {
        const cost = await ofClient(field, client, row, seconds);
        samples.push({ row, client: cost, service: await ofService(field, service, row, seconds) });
      }
    }
    return samples;
  } finally {
    await client.stop();
    await service.stop();
  }
}

async function ofClient(field: LogField, client: LogClient, row: LogRow, seconds: number): Promise<Cost> {
  const { turns, ...spent } = await client.do({ append: row.name, atOnce: atOnce(field, row), seconds });
  return { rate: turns / spent.seconds, cpuMilliseconds: spent.cpuMicroseconds / 1_000 };
}

async function ofService(
  { load, ...field }: LogField,
  { server, target }: MeasuredService,
  row: LogRow,
  length: number,
): Promise<Cost> {
  const before = server.processorSeconds();
  const { requests, seconds } = await load.measure({
    scenario: row.scenario,
    seconds: length,
    target,
    connections: atOnce(field, row),
  });
  const after = server.processorSeconds();
  const used = before === undefined || after === undefined ? undefined : after - before;
  return { rate: requests / seconds, cpuMilliseconds: used && (used * 1_000) / requests };
}

function atOnce({ options }: Pick<LogField, 'options'>, row: LogRow): number {
  return row.atOnce === 'one' ? 1 : options.connections;
}
