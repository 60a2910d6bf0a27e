import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#kernel/clock.js';
import { LONGEST_REQUEST_MS } from '#kernel/longest-request.js';
import { pause } from '#kernel/pause.js';
import type { DocumentStore, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { LogProgress } from '#eventsourcing/log/log-progress.js';
import type { Projector } from '#eventsourcing/writing/projector.js';
import { CheckpointKeeper } from './checkpoint-keeper.js';
import { FillMark } from './fill-mark.js';
import { RebuildRecord } from './rebuild-record.js';
import { ReplacingStore } from './replacing-store.js';
import { type Difference, sayTheSame, UnwrittenViews } from './unwritten-views.js';
import {
  type FoundDocument,
  NO_WRITERS_HERE,
  sourcesOf,
  type ViewsBuilder,
  ViewsFill,
} from './views-fill.js';

/** Milliseconds before each further look at differences. After the last, every write of the first look's time has ended. */
const PAUSES_MS = [500, 1_500, LONGEST_REQUEST_MS - 2_000];

export interface ComparisonPorts {
  readonly store: EventStore;
  readonly damaged: Pick<DamagedStreams, 'findDamage'>;
  readonly records: DocumentStore;
  /** Undefined if there are none. */
  readonly views: DocumentStore | undefined;
  readonly clock: Clock;
  readonly progress: LogProgress;
  readonly signal: AbortSignal;
  /** Opens the projectors on another store than the views. */
  openBuilder(views: DocumentStore): Promise<ViewsBuilder>;
}

export type ViewsFound =
  | { readonly kind: 'not_compared'; readonly reason: string }
  | {
      readonly kind: 'compared';
      /** The number of documents. */
      readonly documents: number;
      /** Documents that the service has still to bring up to date, or that changed at each look. */
      readonly moving: number;
      /** Documents that stayed different from the log, in the order in which they were found. */
      readonly wrong: readonly Difference[];
    };

/** The result of one look: each difference, and whether events explain it that the service has not applied yet. */
interface Look {
  readonly documents: number;
  readonly differences: readonly (Difference & { readonly isAwaited: boolean })[];
}

/**
 * Compares the views with the log by a rebuild whose corrections are not written. It may run beside the service: a document is
 * wrong only if it still differs, unchanged, after the longest time that a write may take.
 * @throws StoreUnavailableError
 */
export async function compareViews(ports: ComparisonPorts): Promise<ViewsFound> {
  const { views } = ports;
  if (views === undefined) return { kind: 'not_compared', reason: 'there are none yet' };
  const reason = await reasonNotToCompare(views, ports.records);
  if (reason !== undefined) return { kind: 'not_compared', reason };
  const present = { ...ports, views };
  const first = await look(present, (fill) => fill.compare());
  let last = first.differences;
  for (const milliseconds of PAUSES_MS) {
    if (last.length === 0) break;
    await pause(ports.clock, milliseconds, ports.signal);
    ports.signal.throwIfAborted();
    last = await lookAgain(present, last);
  }
  const seen = new Map(first.differences.map((one) => [keyOf(one), one.stored]));
  const wrong = last.filter((one) => !one.isAwaited && isDeepStrictEqual(one.stored, seen.get(keyOf(one))));
  return { kind: 'compared', documents: first.documents, moving: last.length - wrong.length, wrong };
}

async function reasonNotToCompare(views: DocumentStore, records: DocumentStore): Promise<string | undefined> {
  const rebuild = await new RebuildRecord(records).read();
  if (rebuild?.state === 'running') return `they are being rebuilt (${Math.floor(100 * rebuild.share)} %)`;
  switch (await new FillMark(views).state()) {
    case 'unfilled':
      return 'they are not filled yet';
    case 'older':
      return 'an earlier release filled them; this one fills them again when it starts';
    case 'later':
      return 'a later release filled them';
    case 'present':
      return undefined;
  }
}

type PresentViews = ComparisonPorts & { readonly views: DocumentStore };

async function look(ports: PresentViews, compare: (fill: ViewsFill) => Promise<void>): Promise<Look> {
  const { store, damaged, clock, progress, signal } = ports;
  // First: what is handled by now, the documents must show.
  const handled = await new CheckpointKeeper(ports.views, clock).read();
  const unwritten = new UnwrittenViews(ports.views);
  const views = new ReplacingStore(unwritten);
  const builder = await ports.openBuilder(views);
  try {
    const withoutWriters = NO_WRITERS_HERE;
    await compare(new ViewsFill({ store, damaged, clock, withoutWriters, views, builder, progress, signal }));
    const differences: (Difference & { isAwaited: boolean })[] = [];
    for (const found of unwritten.differences) {
      const difference = withStoredRevisions(builder, found);
      if (sayTheSame(difference.stored, difference.right)) continue;
      if (await isPastItsEnd(builder, difference)) continue;
      const isAwaited = isBehind(builder, difference) && (await isAfter(store, builder, difference, handled));
      differences.push({ ...difference, isAwaited });
    }
    return { documents: unwritten.documents, differences };
  } finally {
    await builder.close();
  }
}

/** The differences that are left. */
async function lookAgain(ports: PresentViews, known: readonly Difference[]): Promise<Look['differences']> {
  const asked = new Set(known.map(keyOf));
  const quiet = { ...ports, progress: () => undefined };
  const { differences } = await look(quiet, (fill) => fill.compareSome(known.flatMap(documentsOf)));
  return differences.filter((one) => asked.has(keyOf(one)));
}

function documentsOf({ collection, stored, right }: Difference): FoundDocument[] {
  return [
    ...(stored === undefined ? [] : [{ collection, document: stored, isStored: true }]),
    ...(right === undefined ? [] : [{ collection, document: right, isStored: false }]),
  ];
}

type DerivedDifference = Difference & { readonly stored: StoredDocument; readonly right: StoredDocument };

/** Whether a document of the derived view differs, which is neither missing nor of no event. */
function isOfDerived({ derived }: ViewsBuilder, difference: Difference): difference is DerivedDifference {
  const { collection, stored, right } = difference;
  return collection === derived.collection.name && stored !== undefined && right !== undefined;
}

function withStoredRevisions(builder: ViewsBuilder, difference: Difference): Difference {
  if (!isOfDerived(builder, difference)) return difference;
  return { ...difference, right: builder.derived.withStoredRevisions(difference.stored, difference.right) };
}

async function isPastItsEnd(builder: ViewsBuilder, difference: Difference): Promise<boolean> {
  return (
    isOfDerived(builder, difference) && builder.derived.isPastItsEnd(difference.stored, difference.right)
  );
}

/** Whether the stored document lacks events, or is missing. */
function isBehind({ derived }: ViewsBuilder, { collection, stored, right }: Difference): boolean {
  if (right === undefined) return false;
  if (stored === undefined) return true;
  if (collection === derived.collection.name) return derived.isBehind(stored, right);
  return revisionOf(stored) < revisionOf(right);
}

function revisionOf(document: StoredDocument): number {
  return (document as StoredDocument & { readonly revision: number }).revision;
}

/** Whether a source of the document has an event after what the service has handled. */
async function isAfter(
  store: EventStore,
  { projectors, derived }: ViewsBuilder,
  difference: Difference,
  handled: bigint | undefined,
): Promise<boolean> {
  const sources = projectors.flatMap((projector: Projector<unknown>) =>
    documentsOf(difference).flatMap((document) => sourcesOf(projector, derived, document)),
  );
  for (const stream of new Set(sources)) {
    const [last] = await store.readStream(stream, { backwards: true, limit: 1 });
    if (last !== undefined && last.position > (handled ?? -1n)) return true;
  }
  return false;
}

function keyOf({ collection, id }: Difference): string {
  return `${collection} ${id}`;
}
