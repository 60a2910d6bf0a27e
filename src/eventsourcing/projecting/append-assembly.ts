import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { partOf } from '#eventsourcing/log/whole-appends.js';

/** An append of which some events are still missing. */
interface PartialAppend {
  readonly events: RecordedEvent[];
  /** The event that was delivered right before its first event. */
  readonly before: RecordedEvent | undefined;
}

/** The appends that a batch of events has completed. */
export interface Assembled {
  /** If the subscription began in the middle of an append, the append has only the events from there. */
  readonly appends: readonly (readonly RecordedEvent[])[];
  /** The last event up to which every append is whole. Undefined if there is none yet. */
  readonly handled: RecordedEvent | undefined;
}

/** Assembles the events of a subscription to whole appends. Events of other appends may come in between. */
export class AppendAssembly {
  /** By stream, in the order of their first events. */
  readonly #partial = new Map<string, PartialAppend>();
  #last: RecordedEvent | undefined;

  /** True if every append is whole. */
  get isWhole(): boolean {
    return this.#partial.size === 0;
  }

  take(events: readonly RecordedEvent[]): Assembled {
    const appends: RecordedEvent[][] = [];
    for (const event of events) {
      const whole = this.#add(event);
      if (whole !== undefined) appends.push(whole);
      this.#last = event;
    }
    const [earliest] = this.#partial.values();
    return { appends, handled: earliest === undefined ? this.#last : earliest.before };
  }

  #add(event: RecordedEvent): RecordedEvent[] | undefined {
    const { n, of } = partOf(event);
    if (of === 1) return [event];
    const append = this.#partial.get(event.stream) ?? { events: [], before: this.#last };
    append.events.push(event);
    if (n < of) this.#partial.set(event.stream, append);
    else this.#partial.delete(event.stream);
    return n < of ? undefined : append.events;
  }
}
