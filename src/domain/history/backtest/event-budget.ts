import type { UnitDocument } from '#domain/units/index.js';

/** A unit's stream, and its revision in the views. */
export interface NeededStream {
  readonly stream: string;
  readonly revision: number;
  /** The view's document, if it has been read already. */
  readonly unit?: UnitDocument;
}

/** Streams that are needed together: those of all units that a tenant ever had. */
export class StreamGroup {
  readonly events: number;

  constructor(readonly streams: readonly NeededStream[]) {
    this.events = eventsOf(streams);
  }
}

/** What one unit's answer needs. Units of the same tenant share a group, so it is looked through once for all. */
interface Need {
  readonly own: NeededStream;
  readonly others: readonly StreamGroup[];
}

/** Bounds the events to read. A stream costs its length in the views, once. */
export class EventBudget {
  readonly #planned = new Set<string>();
  readonly #plannedGroups = new Set<StreamGroup>();
  #spent = 0;

  constructor(private readonly most: number) {}

  get isLeft(): boolean {
    return this.#spent < this.most;
  }

  /** The events of the streams that were planned. */
  get spent(): number {
    return this.#spent;
  }

  /** Whether it exceeds the whole budget. */
  isTooMuch({ own, others }: Need): boolean {
    // A group has its own stream, too, and groups may share streams. They are looked through only if that could matter.
    const atMost = others.reduce((events, group) => events + group.events, eventsOf([own]));
    return atMost > this.most && eventsOf(distinctStreams(others, own)) > this.most;
  }

  /**
   * Plans to read the streams that are not planned yet.
   * @param anyway even if it exceeds what is left
   * @returns the streams that were not planned before. Undefined: they exceed what is left, and nothing is planned
   */
  plan({ own, others }: Need, anyway: boolean): readonly NeededStream[] | undefined {
    const groups = others.filter((group) => !this.#plannedGroups.has(group));
    const fresh = distinctStreams(groups, own).filter(({ stream }) => !this.#planned.has(stream));
    const cost = eventsOf(fresh);
    if (!anyway && cost > 0 && this.#spent + cost > this.most) return undefined;
    this.#spent += cost;
    for (const { stream } of fresh) this.#planned.add(stream);
    for (const group of groups) this.#plannedGroups.add(group);
    return fresh;
  }
}

/** Each stream once. `own` replaces its entry in a group, which was read later and may be longer. */
function distinctStreams(groups: readonly StreamGroup[], own: NeededStream): NeededStream[] {
  const streams = [...groups.flatMap((group) => group.streams), own];
  return [...new Map(streams.map((one) => [one.stream, one])).values()];
}

function eventsOf(streams: readonly NeededStream[]): number {
  return streams.reduce((events, { revision }) => events + revision + 1, 0);
}
