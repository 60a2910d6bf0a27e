import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredDomainEvent } from '../../log/domain-event.js';
import type { Fold, Projection, Snapshot, StreamChange } from '../../writing/aggregate.js';

/** How many folds and events are held in memory together, some 1 KB each. */
const MOST_HELD = 100_000;
/** How many are shown in one turn of the event loop, as many as one bulk may bring: requests are served meanwhile. */
const ROUND = 500;

/** What is to be shown of a stream: the newest fold, and all events that show by themselves. */
interface Held<State> {
  readonly stream: string;
  readonly events: StoredDomainEvent[];
  after: Snapshot<State>;
}

/**
 * Folds in memory and shows each stream's newest fold once, however many events have brought it there: most of what a log
 * holds of a stream has been overtaken by its end. Nothing of it is shown before {@link showAll}, so it is for views that
 * nobody reads from yet. Streams beyond those that memory has room for are shown at once.
 */
export class HeldBackProjection<State> implements Projection<State> {
  readonly fold: Fold<State>;
  readonly #held = new Map<string, Held<State>>();
  #heldEvents = 0;

  /** @param isShown `showsEvent` of the projection: events that it does not show count by the fold alone */
  constructor(
    private readonly shown: Projection<State>,
    private readonly isShown: NonNullable<Projection<State>['showsEvent']>,
    private readonly most = MOST_HELD,
  ) {
    this.fold = shown.fold;
  }

  async load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]> {
    const unheld = streams.filter((stream) => !this.#held.has(stream));
    const loaded = unheld.length === 0 ? [] : await this.shown.load(unheld);
    const others = new Map(unheld.map((stream, place) => [stream, loaded[place]]));
    return streams.map((stream) => this.#held.get(stream)?.after ?? others.get(stream));
  }

  async project(changes: readonly StreamChange<State>[]): Promise<void> {
    const tooMany = changes.filter((change) => !this.#hold(change));
    if (tooMany.length > 0) await this.shown.project(tooMany);
  }

  /** Shows what is held, while nothing is projected. What fails is held still. @throws StoreUnavailableError */
  async showAll(): Promise<void> {
    const held = [...this.#held.values()];
    for (let shown = 0; shown < held.length; shown += ROUND) {
      const round = held.slice(shown, shown + ROUND);
      await this.shown.project(round);
      for (const { stream, events } of round) {
        this.#held.delete(stream);
        this.#heldEvents -= events.length;
      }
      await nextTurn();
    }
  }

  #hold({ stream, events, after }: StreamChange<State>): boolean {
    let held = this.#held.get(stream);
    if (held === undefined) {
      if (this.#held.size + this.#heldEvents >= this.most) return false;
      held = { stream, events: [], after };
      this.#held.set(stream, held);
    }
    for (const event of events) {
      if (!this.isShown(event, after)) continue;
      held.events.push(event);
      this.#heldEvents += 1;
    }
    held.after = after;
    return true;
  }
}
