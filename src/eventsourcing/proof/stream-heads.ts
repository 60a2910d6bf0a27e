import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';

/** Revision and hash of a stream's last event. */
export interface StreamHead {
  readonly revision: number;
  readonly hash: string;
}

export type StreamHeads = ReadonlyMap<string, StreamHead>;

/** The head of a stream that ends with this event. */
export function headOf({ revision, metadata }: RecordedEvent): StreamHead {
  return { revision, hash: metadata['hash'] as string };
}

/** How many events the streams hold. */
export function eventsIn(heads: StreamHeads): number {
  let events = 0;
  for (const { revision } of heads.values()) events += revision + 1;
  return events;
}

/** After so many names, sorting and hashing let waiting requests run. */
const SLICE = 5_000;

/**
 * SHA-256 (hex) over a line `["name",revision,"hash"]` for each stream, with a line feed. The names are sorted by UTF-16
 * code units.
 */
export async function rootOf(heads: StreamHeads): Promise<string> {
  const root = createHash('sha256');
  const names = await sorted([...heads.keys()]);
  for (let from = 0; from < names.length; from += SLICE) {
    for (const name of names.slice(from, from + SLICE)) {
      const { revision, hash } = heads.get(name)!;
      root.update(`${JSON.stringify([name, revision, hash])}\n`);
    }
    await nextTurn();
  }
  return root.digest('hex');
}

async function sorted(names: readonly string[]): Promise<readonly string[]> {
  await nextTurn();
  if (names.length <= SLICE) return [...names].sort();
  const middle = names.length >>> 1;
  const lower = await sorted(names.slice(0, middle));
  return merged(lower, await sorted(names.slice(middle)));
}

async function merged(one: readonly string[], other: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  let at = 0;
  let there = 0;
  while (at < one.length && there < other.length) {
    names.push(one[at]! < other[there]! ? one[at++]! : other[there++]!);
    if (names.length % SLICE === 0) await nextTurn();
  }
  return names.concat(one.slice(at), other.slice(there));
}
