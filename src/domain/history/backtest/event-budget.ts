import type { UnitDocument } from '#domain/units/index.js';

/** A unit's stream, and its revision in the views. */
export interface NeededStream {
  readonly stream: string;
  readonly revision: number;
  /** The view's document, if it has been read already. */
  readonly unit?: UnitDocument;
}

/** Bounds the events to read. A stream costs its length in the views, once. */
export class EventBudget {
  readonly #planned = new Set<string>();
  #spent = 0;

  constructor(private readonly most: number) {}

  get isLeft(): boolean {
    return this.#spent < this.most;
  }

  /** Whether it exceeds the whole budget. */
  isTooMuch(need: readonly NeededStream[]): boolean {
    return eventsOf(need) > this.most;
  }

  /**
   * Plans to read the streams that are not planned yet.
   * @param anyway even if it exceeds what is left
   * @returns whether all are planned now
   */
  plan(need: readonly NeededStream[], anyway: boolean): boolean {
    const fresh = need.filter(({ stream }) => !this.#planned.has(stream));
    const cost = eventsOf(fresh);
    if (!anyway && cost > 0 && this.#spent + cost > this.most) return false;
    this.#spent += cost;
    for (const { stream } of fresh) this.#planned.add(stream);
    return true;
  }
}

function eventsOf(need: readonly NeededStream[]): number {
  return need.reduce((events, { revision }) => events + revision + 1, 0);
}
