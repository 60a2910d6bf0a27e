import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import type { StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { Aggregate, Fold, Kind } from './aggregate.js';
import { chain } from './chain.js';
import type { CommandRun, StreamDecision, PreparedCommand, TargetStream, WriteClock } from './command-run.js';
import type { StreamChange } from './projector.js';
import { foldOnto, lastEventOf, readFrom, snapshotAt } from './stored-stream.js';
import type { WriteContext } from './write-context.js';

/** Reads newer events from the log. If this command was done before, it takes only the events before the command's. */
export async function readNewer<K extends Kind>(
  store: Pick<EventStore, 'readStream'>,
  fold: Fold<K['state'], K['event']>,
  targets: readonly TargetStream<K>[],
  command_id: string,
): Promise<TargetStream<K>[]> {
  return Promise.all(
    targets.map(async (target) => {
      const from = lastEventOf(target.snapshot).revision + 1;
      const events = await readFrom<K['event']>(store, fold, target.stream, from);
      const own = events.filter((event) => event.metadata.command_id === command_id);
      const earlier = own.length === 0 ? events : events.slice(0, own[0]!.revision - from);
      const snapshot = foldOnto(fold, target.snapshot, earlier);
      const unprojected = [...target.unprojected, ...earlier];
      const recovered = own.length === 0 ? undefined : own;
      return { ...target, snapshot, unprojected, recovered, isFromLog: true };
    }),
  );
}

/** Decides for one stream, and chains its events. */
export function decideOne<K extends Kind>(
  { aggregate, bulk }: CommandRun<K>,
  target: TargetStream<K>,
  { command, account }: PreparedCommand<K['command']>,
  clock: WriteClock | 'world',
  context: WriteContext,
  ports: { readonly clock: Clock; readonly ids: Ids },
): StreamDecision<K> {
  const { stream, snapshot, recovered } = target;
  if (recovered !== undefined) return decideAgain(aggregate, target, command, recovered);
  const now = Math.max((clock === 'world' ? ports.clock : clock).now(), lastEventOf(snapshot).last_at);
  const real_time = clock !== 'world' && clock.ahead > 0 ? ports.clock.now() : undefined;
  const decided = aggregate.decide(snapshot?.state, command, now);
  if ('rejected' in decided) {
    const outcome = { kind: 'rejected', refusal: decided.rejected } as const;
    return { target, account, events: [], after: snapshot, outcome };
  }
  const { result, state, events: emitted, stated_at } = decided;
  const instants = { now, real_time, stated_at };
  const draft = { stream, snapshot, events: emitted, types: aggregate.types, ...instants, bulk };
  const events = chain(draft, context, ports.ids);
  const last = events.at(-1);
  const after =
    last === undefined || state === undefined
      ? foldOnto(aggregate, snapshot, events)
      : snapshotAt(state, last);
  const changed = last !== undefined;
  const done = { kind: 'done', result, before: snapshot, after, applied_at: now, changed } as const;
  const outcome = { ...done, isRecovered: false };
  return { target, account, events, after, outcome };
}

/** Repeats the decision that stored these events, on the state before them and at their instant. */
function decideAgain<K extends Kind>(
  aggregate: Aggregate<K>,
  target: TargetStream<K>,
  prepared: K['command'],
  stored: readonly StoredDomainEvent<K['event']>[],
): StreamDecision<K> {
  const { stream, snapshot } = target;
  const command = aggregate.asStored?.(prepared, stored) ?? prepared;
  const applied_at = Date.parse(stored[0]!.metadata.occurred_at);
  const decided = aggregate.decide(snapshot?.state, command, applied_at);
  if ('rejected' in decided)
    throw new Error(`A repeated command with stored events in ${stream} was refused.`);
  const after = foldOnto(aggregate, snapshot, stored);
  const { result } = decided;
  const done = { kind: 'done', result, before: snapshot, after, applied_at, changed: true } as const;
  const outcome = { ...done, isRecovered: true };
  return { target, account: undefined, events: stored, after, outcome };
}

/** The changes for the views: the new events, and those that the views may not show yet. */
export function changesIn<K extends Kind>(
  decisions: readonly StreamDecision<K>[],
): StreamChange<K['state'], K['event']>[] {
  return decisions.flatMap(({ target: { stream, unprojected }, events, after }) => {
    const all = unprojected.length === 0 ? events : [...unprojected, ...events];
    return all.length === 0 ? [] : [{ stream, events: all, after: after! }];
  });
}
