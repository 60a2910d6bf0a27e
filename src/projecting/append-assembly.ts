import type { RecordedEvent } from '../log/event-store.js';
import { partOf } from '../log/whole-appends.js';

interface Open {
  readonly events: RecordedEvent[];
  /** The event that was delivered right before the first of them. */
  readonly before: RecordedEvent | undefined;
}

/** The appends that a batch of the log has completed. */
export interface Assembled {
  /** Each from its first event; or, where the deliveries began in its middle, from there. */
  readonly appends: readonly (readonly RecordedEvent[])[];
  /** The last event up to which every append is whole; undefined where there is none yet. */
  readonly handled: RecordedEvent | undefined;
}

/** Puts the events of a subscription together to whole appends: they may arrive one by one, with others between. */
export class AppendAssembly {
  /** By stream, in the order of their first events. */
  readonly #open = new Map<string, Open>();
  #last: RecordedEvent | undefined;

  /** Whether every append is whole. */
  get isWhole(): boolean {
    return this.#open.size === 0;
  }

  take(events: readonly RecordedEvent[]): Assembled {
    const appends: RecordedEvent[][] = [];
    for (const event of events) {
      const whole = this.#add(event);
      if (whole !== undefined) appends.push(whole);
      this.#last = event;
    }
    const [earliest] = this.#open.values();
    return { appends, handled: earliest === undefined ? this.#last : earliest.before };
  }

  #add(event: RecordedEvent): RecordedEvent[] | undefined {
    const { n, of } = partOf(event);
    if (of === 1) return [event];
    const open = this.#open.get(event.stream) ?? { events: [], before: this.#last };
    open.events.push(event);
    if (n < of) this.#open.set(event.stream, open);
    else this.#open.delete(event.stream);
    return n < of ? undefined : open.events;
  }
}
