import { type Clock, toTimestamp } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { decodeEvent, type EventTypes } from '../log/codec.js';
import type { DomainEvent, EventMetadata, StoredDomainEvent } from '../log/domain-event.js';
import type { EventStore } from '../log/event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '../log/hash-chain.js';
import { wholeAppends } from '../log/whole-appends.js';
import type { Aggregate, Fold, Snapshot, StreamChange } from './aggregate.js';
import type { CommandRun, StreamDecision, PreparedCommand, TargetStream, WriteClock } from './command-run.js';
import type { WriteContext } from './write-context.js';

/**
 * A stream's events from a revision to its end, without an incomplete last append.
 * @throws UnknownEventError @throws StoreUnavailableError
 */
export async function readFrom<Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream'>,
  { types }: Pick<Fold<never>, 'types'>,
  stream: string,
  from: number,
): Promise<StoredDomainEvent<Event>[]> {
  const recorded = wholeAppends(await store.readStream(stream, { from }));
  return recorded.map((event) => decodeEvent<Event>(types, event));
}

/** An event contradicts the events before it in its stream: somebody edited the log. */
class UnfittingEventError extends Error {
  readonly code = 'unfitting_event';

  constructor({ stream, revision, type }: StoredDomainEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Event ${revision} of ${stream} (${type}) does not fit what is before it: ${reason}`, { cause });
  }
}

/**
 * The state after more events. They must follow the snapshot (undefined: the stream's beginning) without a gap.
 * @throws UnfittingEventError
 */
export function foldOnto<State, Event extends DomainEvent>(
  fold: Pick<Fold<State, Event>, 'evolve'>,
  snapshot: Snapshot<State> | undefined,
  events: readonly StoredDomainEvent<Event>[],
): Snapshot<State> | undefined {
  const last = events.at(-1);
  if (last === undefined) return snapshot;
  let state = snapshot?.state;
  for (const event of events) {
    try {
      state = fold.evolve(state, event, event.revision);
    } catch (error) {
      throw new UnfittingEventError(event, error);
    }
  }
  return snapshotAt(state as State, last);
}

/** @param state the state after this event */
export function snapshotAt<State>(state: State, { revision, metadata }: StoredDomainEvent): Snapshot<State> {
  return { state, revision, last_hash: metadata.hash, last_at: Date.parse(metadata.occurred_at) };
}

/** Revision, hash and time of the last event. The next event needs them. */
export function lastEventOf(snapshot: Snapshot<unknown> | undefined): {
  revision: number;
  last_hash: string;
  last_at: number;
} {
  return snapshot ?? { revision: -1, last_hash: NO_PREVIOUS_HASH, last_at: 0 };
}

/** The events of an append without their metadata. */
export interface AppendDraft<Event extends DomainEvent> {
  readonly stream: string;
  readonly snapshot: Snapshot<unknown> | undefined;
  readonly events: readonly Event[];
  readonly types: EventTypes;
  /** In milliseconds. */
  readonly now: number;
  /** The real time in milliseconds, if `now` comes from a sandbox's clock that is ahead. */
  readonly real_time?: number | undefined;
  readonly bulk?: boolean | undefined;
}

/** Adds id, revision and metadata to each event of an append, and links it to the event before it. */
export function chain<Event extends DomainEvent>(
  { stream, snapshot, events, types, now, real_time, bulk }: AppendDraft<Event>,
  { command_id, request_id, actor }: WriteContext,
  ids: Ids,
): StoredDomainEvent<Event>[] {
  if (events.length === 0) return [];
  let { revision, last_hash } = lastEventOf(snapshot);
  const occurred_at = toTimestamp(now);
  const real = real_time === undefined ? undefined : { real_time: toTimestamp(real_time) };
  return events.map(({ type, data }, index) => {
    const known = types[type];
    if (known === undefined) throw new TypeError(`No schema is declared for events of type ${type}.`);
    revision += 1;
    // Members in the order of the canonical form: then hashing sorts faster.
    const linked = {
      actor,
      ...(bulk === true ? { bulk } : undefined),
      command_id,
      occurred_at,
      part: { n: index + 1, of: events.length },
      previous_hash: last_hash,
      ...real,
      request_id,
      schema: known.schema,
    };
    const id = ids.uuid();
    last_hash = hashEvent({ id, stream, revision, type, data, metadata: linked });
    const metadata: EventMetadata = { hash: last_hash, ...linked };
    return { id, stream, revision, type, data, metadata } as unknown as StoredDomainEvent<Event>;
  });
}

/** Reads newer events from the log. If this command was done before, it takes only the events before the command's. */
export async function readNewer<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream'>,
  fold: Fold<State, Event>,
  targets: readonly TargetStream<State, Event>[],
  command_id: string,
): Promise<TargetStream<State, Event>[]> {
  return Promise.all(
    targets.map(async (target) => {
      const from = lastEventOf(target.snapshot).revision + 1;
      const events = await readFrom<Event>(store, fold, target.stream, from);
      const own = events.filter((event) => event.metadata.command_id === command_id);
      const earlier = own.length === 0 ? events : events.slice(0, own[0]!.revision - from);
      const snapshot = foldOnto(fold, target.snapshot, earlier);
      const unprojected = [...target.unprojected, ...earlier];
      const recovered = own.length === 0 ? undefined : own;
      return { ...target, snapshot, unprojected, recovered, isFromLog: true };
    }),
  );
}

/** The changes for the views: the new events, and those that the views may not show yet. */
export function changesIn<State, Event extends DomainEvent>(
  decisions: readonly StreamDecision<State, Event, unknown, unknown>[],
): StreamChange<State, Event>[] {
  return decisions.flatMap(({ target: { stream, unprojected }, events, after }) => {
    const all = unprojected.length === 0 ? events : [...unprojected, ...events];
    return all.length === 0 ? [] : [{ stream, events: all, after: after! }];
  });
}

/** Decides for one stream, and chains its events. */
export function decideOne<State, Event extends DomainEvent, Command, Result, Refusal>(
  { aggregate, bulk }: CommandRun<State, Event, Command, Result, Refusal>,
  target: TargetStream<State, Event>,
  { command, account }: PreparedCommand<Command>,
  clock: WriteClock | 'world',
  context: WriteContext,
  ports: { readonly clock: Clock; readonly ids: Ids },
): StreamDecision<State, Event, Result, Refusal> {
  const { stream, snapshot, recovered } = target;
  if (recovered !== undefined) return decideAgain(aggregate, target, command, recovered);
  const now = Math.max((clock === 'world' ? ports.clock : clock).now(), lastEventOf(snapshot).last_at);
  const real_time = clock !== 'world' && clock.ahead > 0 ? ports.clock.now() : undefined;
  const decided = aggregate.decide(snapshot?.state, command, now);
  if ('rejected' in decided) {
    const outcome = { kind: 'rejected', refusal: decided.rejected } as const;
    return { target, account, events: [], after: snapshot, outcome };
  }
  const { result, state } = decided;
  const draft = { stream, snapshot, events: decided.events, types: aggregate.types, now, real_time, bulk };
  const events = chain(draft, context, ports.ids);
  const last = events.at(-1);
  const after =
    last === undefined || state === undefined
      ? foldOnto(aggregate, snapshot, events)
      : snapshotAt(state, last);
  const changed = last !== undefined;
  const outcome = { kind: 'done', result, before: snapshot, after, applied_at: now, changed } as const;
  return { target, account, events, after, outcome };
}

/** Repeats the decision that stored these events, on the state before them and at their instant. */
export function decideAgain<State, Event extends DomainEvent, Command, Result, Refusal>(
  aggregate: Aggregate<State, Event, Command, Result, Refusal>,
  target: TargetStream<State, Event>,
  prepared: Command,
  stored: readonly StoredDomainEvent<Event>[],
): StreamDecision<State, Event, Result, Refusal> {
  const { stream, snapshot } = target;
  const command = aggregate.asStored?.(prepared, stored) ?? prepared;
  const applied_at = Date.parse(stored[0]!.metadata.occurred_at);
  const decided = aggregate.decide(snapshot?.state, command, applied_at);
  if ('rejected' in decided)
    throw new Error(`A repeated command with stored events in ${stream} was refused.`);
  const after = foldOnto(aggregate, snapshot, stored);
  const { result } = decided;
  const outcome = { kind: 'done', result, before: snapshot, after, applied_at, changed: true } as const;
  return { target, account: undefined, events: stored, after, outcome };
}
