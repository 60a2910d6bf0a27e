import { setImmediate, setTimeout } from 'node:timers';

/** Work waits for a later turn after so long. A turn begins no more work after so long. */
const LONG_MS = 5;
/** Most turns in a row in which no waiting work goes on, because clients connect. */
const MOST_PUT_OFF = 50;
/** Brief pieces of one caller are resumed together. Each runs for microseconds, or waits again. */
const BRIEF_AT_ONCE = 16;

/** Reads of at most this many documents or events take microseconds. */
const SMALL_READ = 20;

type Resume = () => void;

/** Its work waits in two queues, of which the brief one is served first. */
interface Caller {
  /** Milliseconds that its work has used. A new caller begins with those of the one whose work ran last. */
  usedMs: number;
  readonly brief: Resume[];
  readonly long: Resume[];
}

/** Work that belongs to no request, and work whose caller is not known after a wait for a store or a file. */
const NOBODY = '';

/**
 * Shares the event loop among callers. Embedded stores answer without a pause, so without it one request would run to its
 * end before the next one begins. Work that finds its turn long waits. Each turn resumes waiting work for some milliseconds,
 * one piece after another, and always a piece of the caller that has used the least time (start-time fair queueing). So a
 * caller with much work waits behind one with little, however many requests it sends.
 */
export class Turns {
  readonly #callers = new Map<string, Caller>();
  #waiting = 0;
  /** Waits that began in the present turn: they end in a later one. Undefined: no work is resumed now. */
  #nextWaits: (() => void)[] | undefined;
  /** The caller whose work runs now. Undefined: not known. */
  #running: string | undefined;
  #runningSince = 0;
  /** `usedMs` of the caller whose work ran last. */
  #leastUsedMs = 0;
  #isMeasured = false;
  #began = 0;
  #hasConnected = false;
  #timesPutOff = 0;
  #isSimulated = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** In a simulated world real time must not change the order of things: no turn is long, and none is shared out. */
  simulate(): void {
    this.#isSimulated = true;
  }

  endSimulation(): void {
    this.#isSimulated = false;
  }

  /** A promise to await before more of large work, if the present turn has lasted long; otherwise undefined. */
  pauseIfLong(): Promise<void> | undefined {
    return this.#isLong() ? this.next() : undefined;
  }

  /** Like {@link pauseIfLong}, before a read of microseconds. */
  pauseBriefly(): Promise<void> | undefined {
    return this.#isLong() ? this.#wait('brief') : undefined;
  }

  /** Like {@link pauseIfLong}, in a read of so many documents or events. */
  pauseToRead(count: number): Promise<void> | undefined {
    return count <= SMALL_READ ? this.pauseBriefly() : this.pauseIfLong();
  }

  /** Resolves in a later turn. Before work of some milliseconds that cannot be divided. */
  next(): Promise<void> {
    if (this.#isSimulated) return new Promise((resolve) => setImmediate(resolve));
    this.#measure();
    return this.#wait('long');
  }

  /** A promise to await, if another caller waits that has used less time than the present one; otherwise undefined. */
  letOthersFirst(): Promise<void> | undefined {
    const running = this.#running === undefined ? undefined : this.#callers.get(this.#running);
    if (this.#waiting === 0 || running === undefined) return undefined;
    const [, first] = this.#firstWaiting();
    return first.usedMs < running.usedMs ? this.#wait('brief') : undefined;
  }

  /** From here to its next wait, what runs is work of this caller. Call it again after a wait for anything but a turn. */
  enter(caller: string): void {
    if (this.#isSimulated || this.#running === caller) return;
    if (this.#running === undefined) {
      this.#measure();
      afterMicrotasks(() => this.#endPiece());
    } else this.#charge();
    this.#running = caller;
    this.#runningSince = this.now();
  }

  /** A client has connected. Node accepts one connection a turn, so the next turns are short: others may wait to connect. */
  connected(): void {
    this.#hasConnected = true;
  }

  #isLong(): boolean {
    if (this.#isSimulated) return false;
    this.#measure();
    return this.now() - this.#began >= LONG_MS;
  }

  #measure(): void {
    if (this.#isMeasured) return;
    this.#isMeasured = true;
    this.#began = this.now();
    setImmediate(() => this.#turn());
  }

  #wait(queue: 'brief' | 'long'): Promise<void> {
    const name = this.#running ?? NOBODY;
    return new Promise((resolve) => {
      const wait = () => {
        this.#callerNamed(name)[queue].push(resolve);
        this.#waiting += 1;
      };
      if (this.#nextWaits === undefined) wait();
      else this.#nextWaits.push(wait);
    });
  }

  /** Immediates run after new requests have been read, and timers before. */
  #turn(): void {
    this.#isMeasured = false;
    if (this.#waiting === 0) return this.#callers.clear();
    this.#measure();
    // What waited must not use up the time of new requests.
    setTimeout(() => (this.#began = this.now()), 1);
    const isPutOff = this.#hasConnected && this.#timesPutOff < MOST_PUT_OFF;
    this.#hasConnected = false;
    this.#timesPutOff = isPutOff ? this.#timesPutOff + 1 : 0;
    if (isPutOff) return;
    this.#nextWaits = [];
    this.#resumeUntil(this.now() + LONG_MS);
  }

  #resumeUntil(end: number): void {
    const [name, caller] = this.#firstWaiting();
    const brief = caller.brief.splice(0, BRIEF_AT_ONCE);
    const resumes = brief.length > 0 ? brief : caller.long.splice(0, 1);
    this.#waiting -= resumes.length;
    this.#leastUsedMs = caller.usedMs;
    this.#running = name;
    this.#runningSince = this.#began = this.now();
    for (const resume of resumes) resume();
    afterMicrotasks(() => {
      this.#endPiece();
      if (this.#waiting > 0 && this.#runningSince < end) this.#resumeUntil(end);
      else this.#endTurn();
    });
  }

  /** Some caller waits. Forgets who does not wait and has used less: nobody saves up time. */
  #firstWaiting(): [string, Caller] {
    let first: [string, Caller] | undefined;
    for (const entry of this.#callers) {
      const [name, { usedMs, brief, long }] = entry;
      if (brief.length + long.length > 0) {
        if (first === undefined || usedMs < first[1].usedMs) first = entry;
      } else if (usedMs <= this.#leastUsedMs) this.#callers.delete(name);
    }
    return first!;
  }

  #endTurn(): void {
    for (const wait of this.#nextWaits!) wait();
    this.#nextWaits = undefined;
  }

  #endPiece(): void {
    this.#charge();
    this.#running = undefined;
  }

  #charge(): void {
    const now = this.now();
    this.#callerNamed(this.#running ?? NOBODY).usedMs += now - this.#runningSince;
    this.#runningSince = now;
  }

  #callerNamed(name: string): Caller {
    let caller = this.#callers.get(name);
    if (caller === undefined)
      this.#callers.set(name, (caller = { usedMs: this.#leastUsedMs, brief: [], long: [] }));
    return caller;
  }
}

/** Microtasks run before a tick that one of them asks for. So all that runs now has ended or waits when `then` is called. */
function afterMicrotasks(then: () => void): void {
  queueMicrotask(() => process.nextTick(then));
}

/** The turns of this process. */
export const TURNS = new Turns();
