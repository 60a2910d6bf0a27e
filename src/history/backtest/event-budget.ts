import type { UnitDocument } from '../../units/index.js';

/** A unit's stream, and up to which revision the views know it. */
export interface NeededStream {
  readonly stream: string;
  readonly revision: number;
  /** The view's document, where it has been read already. */
  readonly unit?: UnitDocument;
}

/** How many events may be read of streams, each of which costs once what the views say of its length. */
export class EventBudget {
  readonly #planned = new Set<string>();
  #spent = 0;

  constructor(private readonly most: number) {}

  get isLeft(): boolean {
    return this.#spent < this.most;
  }

  /** Whether it is more than there ever was. */
  isTooMuch(need: readonly NeededStream[]): boolean {
    return eventsOf(need) > this.most;
  }

  /**
   * Plans to read what of it is not planned yet.
   * @param anyway even where it is more than is left
   * @returns whether it is planned now
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
