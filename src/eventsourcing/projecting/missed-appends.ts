import { decodeEvent } from '#eventsourcing/log/codec.js';
import type { StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { partOf } from '#eventsourcing/log/whole-appends.js';
import type { Fold, Snapshot } from '#eventsourcing/writing/aggregate.js';
import type { Projector } from '#eventsourcing/writing/projector.js';
import { foldOnto, readFrom } from '#eventsourcing/writing/stored-stream.js';

export type Append = readonly RecordedEvent[];

/** Applies the events of appends that the views do not show yet. */
export class MissedAppends {
  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly projectors: readonly Projector<unknown>[],
  ) {}

  /** @param appends as `AppendAssembly` returns them @throws StoreUnavailableError */
  async apply(appends: readonly Append[]): Promise<void> {
    const whole = await Promise.all(appends.map((append) => this.#fromItsBeginning(append)));
    for (const projector of this.projectors) {
      const some = groupByStream(appendsOf(projector, whole));
      if (some.size > 0) await this.project(projector, some);
    }
  }

  /** @param events by stream; all streams are of the projector's category */
  async project(
    projector: Projector<unknown>,
    events: ReadonlyMap<string, readonly RecordedEvent[]>,
  ): Promise<void> {
    const { fold } = projector;
    const streams = await notShown(projector, events);
    if (streams.length === 0) return;
    const known = await projector.states.load(streams);
    const changes = streams.map((stream, index) => {
      const decoded = events.get(stream)!.map((event) => decodeEvent(fold.types, event));
      return { stream, events: decoded, known: known[index] };
    });
    const folds = await Promise.all(changes.map(({ events, known }) => this.#foldTo(fold, events, known)));
    const whole = changes.flatMap(({ stream, events }, index) => {
      const after = folds[index];
      return after === undefined ? [] : [{ stream, events, after }];
    });
    if (whole.length > 0) await projector.project(whole);
  }

  async #fromItsBeginning(append: Append): Promise<Append> {
    const { stream, revision } = append[0]!;
    const limit = partOf(append[0]!).n - 1;
    if (limit === 0) return append;
    const before = await this.store.readStream(stream, { from: revision - limit, limit });
    return [...before, ...append];
  }

  /**
   * The state after the events. If events are missing between the known state and these, it is read from the log.
   * Undefined if somebody deleted them there: the views keep what they show.
   */
  async #foldTo(
    fold: Fold<unknown>,
    events: readonly StoredDomainEvent[],
    known: Snapshot<unknown> | undefined,
  ): Promise<Snapshot<unknown> | undefined> {
    const head = known?.revision ?? -1;
    if (known !== undefined && head >= events.at(-1)!.revision) return known;
    const news = events[0]!.revision > head ? events : events.filter(({ revision }) => revision > head);
    if (news[0]!.revision === head + 1) return foldOnto(fold, known, news);
    const whole = await readFrom(this.store, fold, events[0]!.stream, 0);
    return foldOnto(fold, undefined, whole);
  }
}

/** The appends of the projector's category. */
export function appendsOf(projector: Projector<unknown>, appends: readonly Append[]): Append[] {
  const prefix = `${projector.fold.category}-`;
  return appends.filter(([first]) => first!.stream.startsWith(prefix));
}

/** The streams whose last event the views do not show. */
async function notShown(
  projector: Projector<unknown>,
  events: ReadonlyMap<string, readonly RecordedEvent[]>,
): Promise<string[]> {
  const streams = [...events.keys()];
  const shown = await projector.shown(streams);
  return streams.filter((stream, index) => events.get(stream)!.at(-1)!.revision > shown[index]!);
}

/** The events of appends, by stream. */
export function groupByStream(appends: readonly Append[]): Map<string, RecordedEvent[]> {
  const groups = new Map<string, RecordedEvent[]>();
  for (const append of appends) {
    const { stream } = append[0]!;
    const group = groups.get(stream);
    if (group === undefined) groups.set(stream, [...append]);
    else group.push(...append);
  }
  return groups;
}
