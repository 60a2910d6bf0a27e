import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '../event-store.js';

/** The end of a stream's chain. */
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

/** So many names are sorted or hashed in one go; requests get their turn between. */
const SLICE = 5_000;

/**
 * SHA-256 (hex) over every stream's name, revision and hash, in the order of the names (by UTF-16 code units): a line
 * `["name",revision,"hash"]` for each, with a line feed.
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
  let [at, there] = [0, 0];
  while (at < one.length && there < other.length) {
    names.push(one[at]! < other[there]! ? one[at++]! : other[there++]!);
    if (names.length % SLICE === 0) await nextTurn();
  }
  return names.concat(one.slice(at), other.slice(there));
}
