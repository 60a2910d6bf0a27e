import type { Clock } from '../config/clock.js';
import { toTimestamp } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import type { AppliedEvents } from './applied-events.js';
import type { AppendOutcome, EventStore, JsonObject, StreamAppend } from '../log/event-store.js';
import { hashEvent } from '../log/hash-chain.js';
import { KeyedMutex } from './keyed-mutex.js';
import { foldOnto, headOf, toDomainEvent } from './stored-stream.js';
import type { DomainEvent, EventMetadata, StoredDomainEvent } from '../log/domain-event.js';
import type { Snapshot, StreamChange, StreamKind, WriteContext } from './stream-kind.js';
import type { Decide, Prepare, StreamOutcome, StreamWriter } from './stream-writer.js';
import type { ViewsGate } from './views-gate.js';
import { WriteContendedError } from './write-contended.error.js';

/** How often one stream's part is decided before the write gives up, and how long the second attempt waits. */
const ATTEMPTS = 10;
const FIRST_PAUSE_MILLISECONDS = 5;

/** A stream's part of a write, as far as it has come. */
interface Part<State> {
  readonly stream: string;
  readonly index: number;
  snapshot: Snapshot<State> | undefined;
  /** What the log held beyond the fold that was at hand, before what is recovered: the views may not show it yet. */
  news?: StoredDomainEvent[];
  /** Events that an earlier attempt at the same command has stored. */
  recovered?: StoredDomainEvent[];
}

/** A part that was decided, with the events that say so. */
interface Ready<State> {
  readonly part: Part<State>;
  readonly events: StoredDomainEvent[];
  readonly outcome: StreamOutcome<State, unknown, unknown> & { kind: 'done' };
}

/** The stream writer on an event store. In one process, writes to one stream follow one another. */
export class LogStreamWriter implements StreamWriter {
  readonly #mutex = new KeyedMutex();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly applied: AppliedEvents,
    private readonly gate: ViewsGate,
  ) {}

  async write<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    streams: readonly string[],
    prepare: Prepare<State, Event, Result, Refusal>,
    context: WriteContext,
  ): Promise<StreamOutcome<State, Result, Refusal>[]> {
    // From the fold to the views: what was loaded from views that are replaced must not reach those that replace them.
    const write = () => this.gate.pass(() => this.#write(kind, streams, prepare, context));
    return this.#mutex.run(streams, write);
  }

  preview<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    streams: readonly string[],
    prepare: Prepare<State, Event, Result, Refusal>,
  ): Promise<StreamOutcome<State, Result, Refusal>[]> {
    // Loading may show in the views what they lack.
    return this.gate.pass(() => this.#preview(kind, streams, prepare));
  }

  async #preview<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    streams: readonly string[],
    prepare: Prepare<State, Event, Result, Refusal>,
  ): Promise<StreamOutcome<State, Result, Refusal>[]> {
    const snapshots = await kind.load(streams);
    const decisions = await prepare(
      snapshots,
      streams,
      streams.map(() => undefined),
    );
    const context: WriteContext = {
      command_id: '',
      request_id: '',
      actor: { kind: 'system', id: 'preview' },
      recovering: false,
    };
    return streams.map((stream, index) => {
      const part = { stream, index, snapshot: snapshots[index] };
      const ready = this.#decide(kind, part, decisions[index]!, context);
      return ready.kind === 'rejected' ? ready : ready.outcome;
    }) as StreamOutcome<State, Result, Refusal>[];
  }

  async #write<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    streams: readonly string[],
    prepare: Prepare<State, Event, Result, Refusal>,
    context: WriteContext,
  ): Promise<StreamOutcome<State, Result, Refusal>[]> {
    const outcomes = new Array<StreamOutcome<State, Result, Refusal>>(streams.length);
    const snapshots = context.recovering ? [] : await kind.load(streams);
    let parts: Part<State>[] = streams.map((stream, index) => ({
      stream,
      index,
      snapshot: snapshots[index],
    }));
    if (context.recovering) parts = await this.#reload(kind, parts, context);
    for (let attempt = 1; ; attempt += 1) {
      const conflicted = await this.#attempt(kind, parts, prepare, context, outcomes);
      if (conflicted.length === 0) return outcomes;
      if (attempt === ATTEMPTS) throw new WriteContendedError(conflicted[0]!.stream);
      if (attempt > 1) await this.#pause(attempt);
      parts = await this.#reload(kind, conflicted, context);
    }
  }

  /** Decides, appends and projects; answers the parts whose stream had moved on. */
  async #attempt<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    parts: readonly Part<State>[],
    prepare: Prepare<State, Event, Result, Refusal>,
    context: WriteContext,
    outcomes: StreamOutcome<State, Result, Refusal>[],
  ): Promise<Part<State>[]> {
    const decisions = await prepare(
      parts.map((part) => part.snapshot),
      parts.map((part) => part.stream),
      parts.map((part) => part.recovered as StoredDomainEvent<Event>[] | undefined),
    );
    const ready: Ready<State>[] = [];
    const unchanged: Ready<State>[] = [];
    parts.forEach((part, place) => {
      const decided = this.#decide(kind, part, decisions[place]!, context);
      if (decided.kind === 'rejected') outcomes[part.index] = decided;
      else if (decided.events.length > 0) ready.push(decided);
      else unchanged.push(decided);
    });
    const { stored, conflicted } = await this.#append(ready, context);
    // "Nothing to change" is an answer about the log, and the views must show what it rests on.
    await this.#project(kind, [...stored, ...unchanged]);
    for (const { events } of stored) this.applied.add(events);
    for (const { part, outcome } of [...stored, ...unchanged]) {
      outcomes[part.index] = outcome as StreamOutcome<State, Result, Refusal>;
    }
    return conflicted.map(({ part }) => part);
  }

  #decide<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    part: Part<State>,
    decide: Decide<State, Event, Result, Refusal>,
    context: WriteContext,
  ): { kind: 'rejected'; refusal: Refusal } | (Ready<State> & { kind: 'ready' }) {
    const head = headOf(part.snapshot);
    const now =
      part.recovered === undefined
        ? Math.max(this.clock.now(), head.last_at)
        : Date.parse(part.recovered[0]!.metadata.occurred_at);
    const decided = decide(part.snapshot, now);
    if ('rejected' in decided) {
      if (part.recovered !== undefined)
        throw new Error(`What was stored in ${part.stream} is refused on recovery.`);
      return { kind: 'rejected', refusal: decided.rejected };
    }
    const events = part.recovered ?? this.#chain(kind, part, decided.events, context, now);
    const after = foldOnto(kind, part.snapshot, events as unknown as StoredDomainEvent<Event>[]);
    const changed = events.length > 0;
    return {
      kind: 'ready',
      part,
      events,
      outcome: { kind: 'done', result: decided.result, after, applied_at: now, changed },
    };
  }

  /** Gives each event what the log keeps beside its data, linked to the one before it. */
  #chain(
    kind: { readonly schema: number },
    part: Part<unknown>,
    events: readonly DomainEvent[],
    context: WriteContext,
    now: number,
  ): StoredDomainEvent[] {
    let { revision, last_hash } = headOf(part.snapshot);
    const occurred_at = toTimestamp(now);
    const { command_id, request_id, actor } = context;
    return events.map(({ type, data }) => {
      revision += 1;
      const linked = {
        command_id,
        request_id,
        actor,
        occurred_at,
        schema: kind.schema,
        previous_hash: last_hash,
      };
      last_hash = hashEvent({ stream: part.stream, revision, type, data, metadata: linked });
      const metadata: EventMetadata = { hash: last_hash, ...linked };
      return { id: this.ids.uuid(), stream: part.stream, revision, type, data, metadata };
    });
  }

  async #append<State>(
    ready: readonly Ready<State>[],
    context: WriteContext,
  ): Promise<{ stored: Ready<State>[]; conflicted: Ready<State>[] }> {
    const fresh = ready.filter(({ part }) => part.recovered === undefined);
    if (fresh.length > 0) context.demandReserved?.();
    const outcomes = fresh.length === 0 ? [] : await this.store.append(fresh.map(toAppend));
    const refused = new Set(fresh.filter((_, place) => isConflict(outcomes[place]!)));
    return {
      stored: ready.filter((one) => !refused.has(one)),
      conflicted: [...refused],
    };
  }

  async #project<State, Event extends DomainEvent>(
    kind: StreamKind<State, Event>,
    ready: readonly Ready<State>[],
  ): Promise<void> {
    const changes = ready.map(({ part, events, outcome }) => ({
      stream: part.stream,
      events: [...(part.news ?? []), ...events],
      after: outcome.after!,
    })) as unknown as StreamChange<State, Event>[];
    const some = changes.filter(({ events }) => events.length > 0);
    if (some.length > 0) await kind.project(some);
  }

  /** Reads what the log holds beyond the folds at hand, up to where this very command began if it was done before. */
  async #reload<State, Event extends DomainEvent>(
    kind: StreamKind<State, Event>,
    parts: readonly Part<State>[],
    context: WriteContext,
  ): Promise<Part<State>[]> {
    return Promise.all(
      parts.map(async ({ stream, index, snapshot }) => {
        const from = headOf(snapshot).revision + 1;
        const recorded = await this.store.readStream(stream, { from });
        const events = recorded.map((event) => toDomainEvent<Event>(kind, event));
        const recovered = events.filter((event) => event.metadata.command_id === context.command_id);
        const news = recovered.length === 0 ? events : events.slice(0, recovered[0]!.revision - from);
        const after = foldOnto(kind, snapshot, news);
        return { stream, index, snapshot: after, news, ...(recovered.length === 0 ? {} : { recovered }) };
      }),
    );
  }

  #pause(attempt: number): Promise<void> {
    return new Promise((resume) => {
      this.clock.after(FIRST_PAUSE_MILLISECONDS * 2 ** (attempt - 2), resume);
    });
  }
}

function toAppend({ part, events }: Ready<unknown>): StreamAppend {
  return {
    stream: part.stream,
    expected: part.snapshot?.revision ?? 'no_stream',
    events: events.map(({ id, type, data, metadata }) => ({
      id,
      type,
      data: data as JsonObject,
      metadata: metadata as unknown as JsonObject,
    })),
  };
}

function isConflict(outcome: AppendOutcome): boolean {
  return outcome.kind === 'conflict';
}
