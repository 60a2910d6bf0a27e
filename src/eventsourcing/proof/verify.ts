import { createHash } from 'node:crypto';
import { Yielder } from '#kernel/yielder.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import type { LogProgress } from '#eventsourcing/log/log-progress.js';
import { ChainCheck, type ChainFault, misplaced, unlogged } from './chain-check.js';
import { type ExportManifest, readLine } from './export-log.js';
import type { SignedHeads } from './signed-heads.js';
import { headOf, type StreamHead } from './stream-heads.js';

/** The result of checking hash chains. It counts the streams and events before the fault. */
export interface Verification {
  readonly ok: boolean;
  readonly streams: number;
  readonly events: number;
  readonly fault: ChainFault | null;
}

const PAGE = 1_000;
/** Steps of work for one event. */
const STEPS = 20;

/** Recomputes the chain of one stream. It lets waiting requests run in between. @throws StoreUnavailableError */
export async function verifyStream(
  store: EventStore,
  stream: string,
  yielder = new Yielder(),
): Promise<Verification> {
  const check = new ChainCheck();
  let last: RecordedEvent | undefined;
  for await (const event of eventsOf(store, stream)) {
    await yielder.after(STEPS);
    const fault = event.stream === stream ? await check.fault(event) : misplaced(event, stream, event);
    if (fault !== null) return verification(check, fault);
    last = event;
  }
  return verification(check, await faultOfEnd(store, stream, last));
}

async function* eventsOf(store: EventStore, stream: string, first = 0): AsyncGenerator<RecordedEvent> {
  for (let from = first; ; from += PAGE) {
    const events = await store.readStream(stream, { from, limit: PAGE });
    yield* events;
    if (events.length < PAGE) return;
  }
}

/** A read from the stream's end must return the same last event, or a newer one. */
async function faultOfEnd(
  store: EventStore,
  stream: string,
  last: RecordedEvent | undefined,
): Promise<ChainFault | null> {
  const [end] = await store.readStream(stream, { backwards: true, limit: 1 });
  const follows = end?.stream === stream && end.revision > (last?.revision ?? -1);
  return end?.id === last?.id || follows ? null : misplaced((last ?? end)!, stream, end);
}

export interface VerifyOptions {
  readonly progress?: LogProgress | undefined;
  /** Heads that were signed earlier. With them the whole log is read, even after a fault. */
  readonly signed?: SignedHeads | undefined;
  /** Also reads each stream: a store may find a stream's events by a separate index, which somebody could have changed. */
  readonly readsEachStream?: boolean;
  /** Ends the work early: it then rejects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Recomputes the chains of all streams in one pass over the log. It lets waiting requests run in between.
 * @throws StoreUnavailableError
 */
export async function verifyAll(
  store: EventStore,
  { progress, signed, readsEachStream = false, signal }: VerifyOptions = {},
): Promise<Verification> {
  const check = new ChainCheck(store);
  const yielder = new Yielder();
  const ends = new Map<string, EndOfStream>();
  let found: ChainFault | null = null;
  let position: bigint | undefined;
  const take = async (event: RecordedEvent) => {
    await yielder.after(STEPS);
    found ??= await check.fault(event);
    await signed?.check(event);
    const { stream, id, type, revision } = event;
    if (readsEachStream) ends.set(stream, { id, type, revision });
  };
  for await (const page of pagesOf(store, progress)) {
    signal?.throwIfAborted();
    for (const event of page) await take(event);
    position = page.at(-1)!.position;
    if (found !== null && signed === undefined) return verification(check, found);
  }
  return verification(check, found ?? (await faultOfStreams(store, { ends, position, signal, yielder })));
}

type EndOfStream = Pick<RecordedEvent, 'id' | 'type' | 'revision'>;

/** A pass over the log, at its end. */
interface ReadLog {
  /** The last event of each stream. */
  readonly ends: ReadonlyMap<string, EndOfStream>;
  /** Position of the last event that was read. */
  readonly position: bigint | undefined;
  readonly signal: AbortSignal | undefined;
  readonly yielder: Yielder;
}

/**
 * Reads every stream: it must contain the same events as the log. Streams may have newer events by now; the log must
 * contain those too.
 */
async function faultOfStreams(
  store: EventStore,
  { ends, position, signal, yielder }: ReadLog,
): Promise<ChainFault | null> {
  const beyond = new Map<string, RecordedEvent>();
  for (const [stream, end] of ends) {
    signal?.throwIfAborted();
    const { fault } = await verifyStream(store, stream, yielder);
    if (fault !== null) return fault;
    const [there] = await store.readStream(stream, { from: end.revision, limit: 1 });
    if (there?.id !== end.id) return misplaced(end as RecordedEvent, stream, there);
    for await (const event of eventsOf(store, stream, end.revision + 1)) beyond.set(event.id, event);
  }
  return beyond.size === 0 ? null : faultOfUnlogged(store, beyond, position);
}

/** The fault of the first newer event that the log does not contain. */
async function faultOfUnlogged(
  store: EventStore,
  beyond: Map<string, RecordedEvent>,
  position: bigint | undefined,
): Promise<ChainFault | null> {
  for await (const page of pagesOf(store, undefined, position)) {
    for (const { id } of page) beyond.delete(id);
  }
  const [first] = beyond.values();
  return first === undefined ? null : unlogged(first);
}

export interface ExportVerification extends Verification {
  /** Absent if the export does not end with a manifest. */
  readonly manifest: ExportManifest | undefined;
  /** Differences between the manifest and the lines before it. */
  readonly differences: readonly string[];
}

/**
 * Checks the hash chains of an export, and its lines against its manifest.
 * @param lines without their line feeds
 * @throws ExportLineError
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  signed?: SignedHeads,
): Promise<ExportVerification> {
  const check = new ChainCheck();
  const digest = createHash('sha256');
  const heads = new Map<string, StreamHead>();
  let manifest: ExportManifest | undefined;
  let found: ChainFault | null = null;
  let events = 0;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = readLine(text, number);
    if ('manifest' in line) {
      manifest = line.manifest;
      continue;
    }
    manifest = undefined;
    digest.update(`${text}\n`);
    found ??= await check.fault(line.event);
    await signed?.check(line.event);
    heads.set(line.event.stream, headOf(line.event));
    events += 1;
  }
  const differences =
    manifest === undefined
      ? ['The export does not end with its manifest. It was cut off, or lines were added.']
      : differencesOf(manifest, { events, sha256: digest.digest('hex'), heads, lines: number });
  return { ...verification(check, found), manifest, differences };
}

interface Exported {
  readonly events: number;
  readonly sha256: string;
  readonly heads: ReadonlyMap<string, StreamHead>;
  /** Number of lines, manifests included. */
  readonly lines: number;
}

function differencesOf(manifest: ExportManifest, { events, sha256, heads, lines }: Exported): string[] {
  const differences: string[] = [];
  if (lines !== events + 1) differences.push('The export holds more than one manifest.');
  if (manifest.events !== events)
    differences.push(`The export holds ${events} events, its manifest ${manifest.events}.`);
  if (manifest.sha256 !== sha256) differences.push('The lines of the export differ from its manifest.');
  const streams = Object.entries(manifest.streams);
  const other = streams.filter(([stream, { revision, hash }]) => {
    const head = heads.get(stream);
    return head?.revision !== revision || head.hash !== hash;
  });
  for (const [stream] of other)
    differences.push(`The last event of stream ${stream} differs from the manifest.`);
  if (streams.length !== heads.size)
    differences.push('The export and its manifest contain different streams.');
  return differences;
}

function verification({ streams, events }: ChainCheck, fault: ChainFault | null): Verification {
  return { ok: fault === null, streams, events, fault };
}
