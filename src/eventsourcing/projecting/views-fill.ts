import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.js';
import { LONGEST_REQUEST_MS } from '#kernel/longest-request.js';
import { pause } from '#kernel/pause.js';
import type { StoredDocument } from '#eventsourcing/documents/document-store.js';
import { everyDocument } from '#eventsourcing/documents/pages.js';
import { OVERTAKEN, untilAllHold, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { decodeEvent } from '#eventsourcing/log/codec.js';
import type { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import type { LogProgress } from '#eventsourcing/log/log-progress.js';
import type { Projector, CheckedView, StreamChange } from '#eventsourcing/writing/projector.js';
import { foldOnto, readFrom } from '#eventsourcing/writing/stored-stream.js';
import { AppendAssembly } from './append-assembly.js';
import type { DerivedView } from './derived-view.js';
import { type Append, appendsOf, groupByStream, MissedAppends } from './missed-appends.js';
import type { ReplacingStore } from './replacing-store.js';

/** The most events in memory, about 1 KB each. All events of a stream among them are projected at once. */
const MOST_HELD = 50_000;
/** Streams that are projected together. Requests are served between two rounds. */
const ROUND = 500;

/** Runs work while no command of this process writes these streams. */
export type WithoutWriters = <T>(streams: readonly string[], work: () => Promise<T>) => Promise<T>;

/** For a process that takes no commands. */
export const NO_WRITERS_HERE: WithoutWriters = (_streams, work) => work();

/** The parts of the service that write views, opened on a store for the rebuild. */
export interface ViewsBuilder {
  readonly projectors: readonly Projector<unknown>[];
  readonly derived: DerivedView;
  /** Deletes what is made again after a rebuild: counts from the history, and how far the announcer has come. */
  forgetCounts(): Promise<void>;
  /** Leaves the stores open. */
  close(): Promise<void>;
}

export interface ViewsFillPorts {
  readonly store: EventStore;
  readonly damaged: Pick<DamagedStreams, 'findDamage'>;
  readonly clock: Clock;
  readonly withoutWriters: WithoutWriters;
  readonly views: ReplacingStore;
  readonly builder: ViewsBuilder;
  readonly progress: LogProgress;
  readonly signal: AbortSignal;
}

/** The result of a fill. */
export interface Filled {
  /** Number of events that were read. */
  readonly events: number;
  /** The last event up to which every append was applied. Undefined if the log holds none. */
  readonly last: RecordedEvent | undefined;
}

/**
 * Makes the views again from the log, while the service reads and writes them. It evolves each stream from its first event,
 * corrects the documents, and deletes documents without an event in the log.
 */
export class ViewsFill {
  readonly #missed: MissedAppends;
  #events = 0;

  constructor(private readonly ports: ViewsFillPorts) {
    const { store, builder, views } = ports;
    this.#missed = new MissedAppends(store, builder.projectors);
    views.declare(builder.projectors.flatMap(({ documents = [] }) => documents));
  }

  /** @throws StoreUnavailableError, and the signal's reason once it is aborted */
  async run(): Promise<Filled> {
    const { store, views, builder, signal } = this.ports;
    const began = await store.head();
    const last = await this.#projectAll();
    await this.#removeWithoutEvents();
    if (views.repaired > 0) await this.#correctFollowers(began);
    await builder.derived.run(views.repaired > 0, signal);
    await builder.forgetCounts();
    signal.throwIfAborted();
    return { events: this.#events, last };
  }

  /** The part of a rebuild that compares, for a store that keeps the corrections to itself. @throws as {@link run} */
  async compare(): Promise<void> {
    await this.#projectAll();
    await this.#removeWithoutEvents();
    await this.ports.builder.derived.run(false, this.ports.signal);
  }

  /** As {@link compare}, for some documents. @param found as they were stored, and as the log gave them */
  async compareSome(found: readonly FoundDocument[]): Promise<void> {
    const { builder, views, signal } = this.ports;
    const { derived } = builder;
    for (const projector of builder.projectors) {
      const streams = found.flatMap((one) => sourcesOf(projector, derived, one));
      for (const round of inRounds([...new Set(streams)])) {
        await this.#projectFromLog(projector, round);
        signal.throwIfAborted();
      }
      for (const shown of projector.documents ?? []) {
        await views.collection(shown.collection);
        const stored = found.filter((one) => one.isStored && one.collection === shown.collection.name);
        await this.#checkPage(
          projector,
          shown,
          stored.map(({ document }) => document),
        );
      }
    }
    const ids = found.filter(({ collection }) => collection === derived.collection.name);
    await derived.correctSome([...new Set(ids.map(({ document }) => document._id))]);
  }

  async #projectAll(): Promise<RecordedEvent | undefined> {
    const { progress } = this.ports;
    const assembly = new AppendAssembly();
    let handled: RecordedEvent | undefined;
    let held: Append[] = [];
    let count = 0;
    for await (const page of this.#pages(undefined, progress)) {
      const whole = assembly.take(page);
      handled = whole.handled;
      for (const append of whole.appends) held.push(append);
      count += page.length;
      if (count < MOST_HELD) continue;
      await this.#project(held);
      [held, count] = [[], 0];
    }
    await this.#project(held);
    return handled;
  }

  async *#pages(from: bigint | undefined, progress?: LogProgress): AsyncGenerator<RecordedEvent[]> {
    for await (const page of pagesOf(this.ports.store, progress, from)) {
      this.ports.signal.throwIfAborted();
      this.#events += progress === undefined ? 0 : page.length;
      yield page;
    }
  }

  /**
   * A request that read a wrong document may have written another one from it. So when every such request has ended, the
   * streams with events after a position are compared again. Commands of this process wait for that, so none of them has
   * read a document that is replaced here. One of another process may have: the next pass corrects what it wrote.
   */
  async #correctFollowers(from: bigint | undefined): Promise<void> {
    const { clock, views, signal } = this.ports;
    await untilItHolds(async () => {
      const before = views.wrong;
      await pause(clock, LONGEST_REQUEST_MS, signal);
      await this.#projectAgain(from);
      return views.wrong === before ? undefined : OVERTAKEN;
    });
  }

  /** Projects again each stream with an event after a position, once. */
  async #projectAgain(from: bigint | undefined): Promise<void> {
    const done = new Set<string>();
    for await (const page of this.#pages(from)) {
      const streams = [...new Set(page.map(({ stream }) => stream))].filter((stream) => !done.has(stream));
      for (const stream of streams) done.add(stream);
      for (const projector of this.ports.builder.projectors) {
        const own = streams.filter((stream) => isOf(projector, stream));
        for (const round of inRounds(own)) await this.#projectFromLog(projector, round);
      }
    }
  }

  async #project(appends: readonly Append[]): Promise<void> {
    for (const projector of this.ports.builder.projectors) {
      for (const round of inRounds([...groupByStream(appendsOf(projector, appends))])) {
        const begun = round.filter(([, events]) => events[0]!.revision === 0);
        // The documents of the other streams were made by this fill, from their earlier events.
        const others = round.filter(([, events]) => events[0]!.revision > 0);
        await this.#projectNew(projector, begun);
        await this.#missed.project(projector, new Map(others));
        this.ports.signal.throwIfAborted();
        await nextTurn();
      }
    }
  }

  /** @param streams with all their events from the first on */
  async #projectNew(
    projector: Projector<unknown>,
    streams: readonly (readonly [string, readonly RecordedEvent[]])[],
  ): Promise<void> {
    if (streams.length === 0) return;
    const { fold } = projector;
    const shown = await projector.shown(streams.map(([stream]) => stream));
    const further: string[] = [];
    const changes: StreamChange<unknown>[] = [];
    for (const [index, [stream, recorded]] of streams.entries()) {
      if (shown[index]! > recorded.at(-1)!.revision) further.push(stream);
      else {
        const events = recorded.map((event) => decodeEvent(fold.types, event));
        changes.push({ stream, events, after: foldOnto(fold, undefined, events)! });
      }
    }
    const unsettled = await this.ports.views.compared(async () => {
      if (changes.length > 0) await projector.project(changes);
    });
    const open = [...further, ...unsettled];
    if (open.length > 0) await this.#projectFromLog(projector, open);
  }

  /** Commands of this process wait: under load they would be faster each time. Those of others can only be tried again. */
  async #projectFromLog(projector: Projector<unknown>, streams: readonly string[]): Promise<void> {
    const { views, withoutWriters } = this.ports;
    await untilAllHold(streams, (open) =>
      withoutWriters(open, async () => {
        const changes = await this.#read(projector, open);
        return views.compared(async () => {
          if (changes.length > 0) await projector.project(changes);
        });
      }),
    );
  }

  async #read({ fold }: Projector<unknown>, streams: readonly string[]): Promise<StreamChange<unknown>[]> {
    const { store } = this.ports;
    const read = await Promise.all(streams.map((stream) => readFrom(store, fold, stream, 0)));
    return streams.flatMap((stream, index) => {
      const events = read[index]!;
      return events.length === 0 ? [] : [{ stream, events, after: foldOnto(fold, undefined, events)! }];
    });
  }

  async #removeWithoutEvents(): Promise<void> {
    for (const projector of this.ports.builder.projectors) {
      for (const shown of projector.documents ?? []) await this.#check(projector, shown);
    }
  }

  async #check(projector: Projector<unknown>, shown: CheckedView): Promise<void> {
    const { views, signal } = this.ports;
    const documents = await views.collection(shown.collection);
    for await (const page of everyDocument(documents, ROUND)) {
      await this.#checkPage(projector, shown, page);
      signal.throwIfAborted();
      await nextTurn();
    }
  }

  async #checkPage(
    projector: Projector<unknown>,
    shown: CheckedView,
    documents: readonly StoredDocument[],
  ): Promise<void> {
    const { views } = this.ports;
    const { name } = shown.collection;
    const unconfirmed = documents.filter(({ _id }) => !views.isConfirmed(name, _id));
    const own = unconfirmed.filter((document) => isOf(projector, shown.streamOf(document)));
    if (own.length > 0) await this.#checkUnknown(projector, shown, own);
    const strays = unconfirmed.filter((document) => !this.#hasProjector(name, document));
    if (strays.length > 0) await views.remove(name, strays as RevisedDocument[]);
  }

  /** Whether the document's stream is one that a projector of its collection reads. */
  #hasProjector(collection: string, document: StoredDocument): boolean {
    return this.ports.builder.projectors.some((projector) =>
      (projector.documents ?? []).some(
        (shown) => shown.collection.name === collection && isOf(projector, shown.streamOf(document)),
      ),
    );
  }

  /**
   * Projects the streams of these documents again. Deletes each document that no event confirms, unless somebody deleted
   * its events: such a document is the last that is known.
   */
  async #checkUnknown(
    projector: Projector<unknown>,
    shown: CheckedView,
    documents: readonly StoredDocument[],
  ): Promise<void> {
    const { views } = this.ports;
    const { name } = shown.collection;
    const streams = [...new Set(documents.map((document) => shown.streamOf(document)))];
    await this.#projectFromLog(projector, streams);
    const withoutEvents = documents.filter(
      (document) => !views.isConfirmed(name, document._id) && !this.#hasLostEvents(shown.streamOf(document)),
    );
    if (withoutEvents.length === 0) return;
    await views.remove(name, withoutEvents as RevisedDocument[]);
    // An event may have come while its document was deleted.
    await this.#projectFromLog(projector, streams);
  }

  #hasLostEvents(stream: string): boolean {
    const cause = this.ports.damaged.findDamage(stream)?.cause;
    return cause !== undefined && cause !== 'foreign_event';
  }
}

type RevisedDocument = StoredDocument & { readonly revision: number };

/** A document of the views, or one that they lack. */
export interface FoundDocument {
  readonly collection: string;
  readonly document: StoredDocument;
  readonly isStored: boolean;
}

/** The streams of the projector that a document is made from. */
export function sourcesOf(
  projector: Projector<unknown>,
  derived: DerivedView,
  { collection, document }: FoundDocument,
): string[] {
  const shown = projector.documents?.find((one) => one.collection.name === collection);
  const own = shown === undefined ? [] : [shown.streamOf(document)];
  const sources = collection === derived.collection.name ? derived.sourcesOf(document) : own;
  return sources.filter((stream) => isOf(projector, stream));
}

function* inRounds<T>(all: readonly T[]): Generator<T[]> {
  for (let first = 0; first < all.length; first += ROUND) yield all.slice(first, first + ROUND);
}

function isOf({ fold }: Projector<unknown>, stream: string): boolean {
  return stream.startsWith(`${fold.category}-`);
}
