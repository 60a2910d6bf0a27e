import type { Clock } from '../config/clock.js';
import { LONGEST_REQUEST } from '../config/longest-request.js';
import type { RecordedEvent } from '../log/event-store.js';
import { firstOfAppend } from '../log/whole-appends.js';

/** An append to one stream that is about to be made, and to be projected by whoever makes it. */
export interface Announcement {
  /** Always, whatever became of it: whether the views have taken its events. The first word counts. */
  settle(applied: boolean): void;
}

interface Flight {
  readonly settled: Promise<boolean>;
  applied: boolean | undefined;
}

/** Of applied appends: beyond this many the catch-up simply projects the oldest again, which changes nothing. */
const MOST_REMEMBERED = 100_000;
/** A projection that has not ended by then is taken for failed. What the catch-up waits for, every process waits for that starts. */
const LONGEST_FLIGHT = LONGEST_REQUEST;

/**
 * The projections that this process is making inline, so that nothing is projected twice: each append is announced
 * before it is made and settled when the views have taken it, or never will. Views that are built anew are followed with
 * a ledger of their own.
 */
export class ProjectionsInFlight {
  /** By stream and first revision. What is applied stays only for a catch-up that has yet to meet it. */
  readonly #flights = new Map<string, Flight>();
  #followed = false;

  /** @param hangs told of a projection that the catch-up has waited for in vain */
  constructor(
    private readonly clock: Clock,
    private readonly hangs: (append: string) => void = () => undefined,
  ) {}

  announce(stream: string, firstRevision: number): Announcement {
    const key = keyOf(stream, firstRevision);
    let resolve!: (applied: boolean) => void;
    const flight: Flight = { settled: new Promise((settle) => (resolve = settle)), applied: undefined };
    this.#flights.set(key, flight);
    return {
      settle: (applied) => {
        if (flight.applied !== undefined) return;
        flight.applied = applied;
        if (this.#flights.get(key) === flight && !(applied && this.#followed)) this.#flights.delete(key);
        this.#bound();
        resolve(applied);
      },
    };
  }

  /** A catch-up begins, or has ended: only one that goes on need be told what was applied before it came by. */
  follow(followed: boolean): void {
    this.#followed = followed;
    if (followed) return;
    for (const [key, { applied }] of this.#flights) if (applied === true) this.#flights.delete(key);
  }

  /** Whether this process has applied the event; one that it is applying is waited for. */
  hasApplied(event: RecordedEvent): boolean | Promise<boolean> {
    if (this.#flights.size === 0) return false;
    const key = keyOf(event.stream, firstOfAppend(event));
    const flight = this.#flights.get(key);
    if (flight === undefined) return false;
    return flight.applied ?? this.#landing(key, flight);
  }

  /** The catch-up has passed these events: it asks for them no more. */
  forget(events: readonly RecordedEvent[]): void {
    if (this.#flights.size === 0) return;
    for (const event of events) this.#flights.delete(keyOf(event.stream, firstOfAppend(event)));
  }

  async #landing(key: string, flight: Flight): Promise<boolean> {
    let cancel: () => void = () => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = this.clock.after(LONGEST_FLIGHT, () => {
        this.hangs(key);
        resolve(false);
      });
    });
    try {
      return await Promise.race([flight.settled, late]);
    } finally {
      cancel();
    }
  }

  /** The oldest go first; those that are still under way stay. */
  #bound(): void {
    if (this.#flights.size <= MOST_REMEMBERED) return;
    for (const [key, { applied }] of this.#flights) {
      if (applied === undefined) continue;
      this.#flights.delete(key);
      if (this.#flights.size <= MOST_REMEMBERED) return;
    }
  }
}

function keyOf(stream: string, revision: number): string {
  return `${revision}@${stream}`;
}
