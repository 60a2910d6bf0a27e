import { BULK_SIZE } from '../bulk-body.js';
import type { BenchOptions } from '../options.js';
import { LogWriter } from './log-writer.js';
import type { WriterJob } from './writer-process.js';

/** One kind of work on the log. */
export interface LogRow {
  readonly name: string;
  /** Streams that one step appends to. 0: the step reads the whole log. */
  readonly streams: number;
  readonly atOnce: 'many' | 'one';
}

export const LOG_ROWS: readonly LogRow[] = [
  { name: 'append', streams: 1, atOnce: 'many' },
  { name: 'append_one', streams: 1, atOnce: 'one' },
  { name: 'append_bulk', streams: BULK_SIZE, atOnce: 'one' },
  { name: 'read_all', streams: 0, atOnce: 'one' },
];

export interface Cost {
  /** Appends or bulks a second, or events read a second. */
  readonly rate: number;
  readonly cpuMicroseconds: number;
}

/** The result of a row in one round. The adapter was measured right after the client. */
export interface LogSample {
  readonly row: LogRow;
  readonly client: Cost;
  readonly adapter: Cost;
}

type Options = Pick<BenchOptions, 'seconds' | 'rounds' | 'connections' | 'only'>;

/** Work before the measurement: a new process is slower until its code is compiled. */
const WARM_UP_SECONDS = 3;

/** Compares the adapter to EventStoreDB with EventStoreDB's own client. Both append events of the same size. */
export async function measureLogCost(url: string, options: Options): Promise<LogSample[]> {
  const { only, rounds } = options;
  const rows = LOG_ROWS.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  const writers = { client: new LogWriter(url, 'client'), adapter: new LogWriter(url, 'adapter') };
  try {
    const samples: LogSample[] = [];
    for (const row of rows) await measureRow(writers, row, { ...options, seconds: WARM_UP_SECONDS });
    for (let round = 0; round < rounds; round += 1)
      for (const row of rows) samples.push(await measureRow(writers, row, options));
    return samples;
  } finally {
    await writers.client.stop();
    await writers.adapter.stop();
  }
}

async function measureRow(
  writers: Readonly<Record<'client' | 'adapter', LogWriter>>,
  row: LogRow,
  options: Options,
): Promise<LogSample> {
  const job = jobOf(row, options);
  return { row, client: await costOf(writers.client, job), adapter: await costOf(writers.adapter, job) };
}

async function costOf(writer: LogWriter, job: WriterJob): Promise<Cost> {
  const { count, seconds, cpuMicroseconds } = await writer.do(job);
  return { rate: count / seconds, cpuMicroseconds: cpuMicroseconds / count };
}

function jobOf({ streams, atOnce }: LogRow, { connections, seconds }: Options): WriterJob {
  if (streams === 0) return { read: true };
  return { streams, atOnce: atOnce === 'many' ? connections : 1, seconds };
}
