import { Yielder } from '#kernel/yielder.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';

/** The most events that one page reads, so a page may be short or empty although older events follow. */
const MOST_READ = 5_000;
/** The most that are read besides, so that the last entry of the page is whole. */
const MOST_READ_BESIDES = 5_000;
/** The most events of one read. */
export const CHUNK_SIZE = 1_000;
/** By how much a read is larger than the one before: the first ones held too few events that belong into the page. */
const GROWTH = 4;
/** The most events by which a page is longer than its limit, so that its last entry is whole. */
const MOST_BEYOND = 2_000;
/** The events of one entry are stored within this time, in milliseconds. */
const ENTRY_MS = 60_000;

/** Events that belong together. */
interface Entries {
  readonly keyOf: (event: RecordedEvent) => string;
  /** Milliseconds. */
  readonly instantOf: (event: RecordedEvent) => number;
}

interface Wanted {
  /** The page begins before this position. Undefined: at the newest event. */
  readonly before: bigint | undefined;
  readonly limit: number;
  /** A page goes on beyond `limit` to the end of its entries. Absent: it ends at `limit`. */
  readonly entries?: Entries | undefined;
  /** Whether this event and all before it are too old. */
  readonly isOver: (event: RecordedEvent) => boolean;
  /** Those of some events that belong into the page, in the same order. */
  readonly select: (events: readonly RecordedEvent[]) => Promise<readonly RecordedEvent[]>;
}

export interface OlderPage {
  /** Newest first. */
  readonly events: readonly RecordedEvent[];
  /** The oldest event that was looked at. Undefined if there was none. */
  readonly oldest: RecordedEvent | undefined;
  /** Where the next page begins. Undefined: there are no older events. */
  readonly before: bigint | undefined;
}

/** `next`: where older events begin. Undefined if there are none that are wanted. */
interface Chunk {
  readonly events: readonly RecordedEvent[];
  readonly next: bigint | undefined;
}

/** Reads so many events before a position, or the newest ones. @throws StoreUnavailableError */
export type OlderEvents = (before: bigint | undefined, size: number) => Promise<Chunk>;

/** A page of events backwards, by position, so that the way back has no end but the log's. @throws StoreUnavailableError */
export async function readBackwards(
  readOlder: OlderEvents,
  { before, limit, entries, isOver, select }: Wanted,
): Promise<OlderPage> {
  const found: RecordedEvent[] = [];
  const yielder = new Yielder();
  let position = before;
  let oldest: RecordedEvent | undefined;
  const isDone = (read: number) => {
    if (found.length < limit && read < MOST_READ) return false;
    return read >= MOST_READ + MOST_READ_BESIDES || areEntriesWhole(found, limit, entries, oldest);
  };
  // One event more shows whether another page follows.
  let wanted = limit + 1;
  for (let read = 0; !isDone(read);) {
    const size = Math.min(wanted, CHUNK_SIZE, leftToRead(read));
    const chunk = untilOver(await readOlder(position, size), isOver);
    found.push(...(await select(chunk.events)));
    oldest = chunk.events.at(-1) ?? oldest;
    position = chunk.next;
    if (position === undefined) break;
    await yielder.after(size);
    read += size;
    wanted *= GROWTH;
  }
  const end = endOfPage(found, limit, entries);
  if (end === found.length) return { events: found, oldest, before: position };
  const last = found[end - 1]!;
  return { events: found.slice(0, end), oldest: last, before: last.position };
}

function leftToRead(read: number): number {
  return read < MOST_READ ? MOST_READ - read : MOST_READ + MOST_READ_BESIDES - read;
}

/** Whether no older event belongs to an entry of the page. @param oldest event that was looked at */
function areEntriesWhole(
  found: readonly RecordedEvent[],
  limit: number,
  entries: Entries | undefined,
  oldest: RecordedEvent | undefined,
): boolean {
  const last = found[Math.min(limit, found.length) - 1];
  if (entries === undefined || last === undefined || oldest === undefined) return true;
  if (found.length >= limit + MOST_BEYOND) return true;
  return entries.instantOf(oldest) < entries.instantOf(last) - ENTRY_MS;
}

/** How many of the events are of the page: `limit`, and those up to the end of entries that have begun. */
function endOfPage(found: readonly RecordedEvent[], limit: number, entries: Entries | undefined): number {
  let end = Math.min(limit, found.length);
  if (entries === undefined || end < limit) return end;
  const { keyOf, instantOf } = entries;
  const begun = new Set(found.slice(0, end).map(keyOf));
  const oldest = instantOf(found[end - 1]!) - ENTRY_MS;
  for (const [index, event] of found.slice(0, limit + MOST_BEYOND).entries()) {
    if (index < end || !begun.has(keyOf(event)) || instantOf(event) < oldest) continue;
    for (const one of found.slice(end, index)) begun.add(keyOf(one));
    end = index + 1;
  }
  return end;
}

function untilOver({ events, next }: Chunk, isOver: Wanted['isOver']): Chunk {
  const overAt = events.findIndex(isOver);
  return overAt === -1 ? { events, next } : { events: events.slice(0, overAt), next: undefined };
}

/** All events of the log. */
export function logBackwards(log: Pick<EventStore, 'readAll'>): OlderEvents {
  return async (before, size) => {
    let end = before ?? 0n;
    const events = await log.readAll({
      backwards: true,
      limit: size,
      scan: { atMost: size, upTo: (scanned) => void (end = scanned) },
      ...(before !== undefined && { before }),
    });
    return { events, next: end === 0n || end === before ? undefined : end };
  };
}
