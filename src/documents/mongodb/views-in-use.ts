import type { Clock } from '../../config/clock.js';
import { pause } from '../../config/pause.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { ViewsPointer, ViewsPointers } from './views-pointer.js';

/**
 * How long what the pointer said holds, from when it was asked, and how long whoever changes it waits until that is over
 * everywhere: longer, as clocks run at different rates. Milliseconds.
 */
const HOLDS = 1_500;
export const WAITED = 2_000;
/** How long what does not hold is asked for again, and how often. */
const ASKED_FOR = 3_000;
const ASKED_EVERY = 100;
/** A call that took longer may have read what was removed since; what was in use stays for twice as long. */
const LONGEST_CALL = 30_000;
export const KEPT = 2 * LONGEST_CALL;

/**
 * Which views this process serves from, and whether it may: what it knows of the pointer holds for a moment and must be
 * asked again then. So whoever changes the pointer and waits for longer than that knows that no process, however long it
 * stood still, goes by what was before.
 */
export class ViewsInUse {
  #readUntil = -Infinity;
  #openUntil = -Infinity;
  /** This process replaces them, and follows nobody else who does. */
  replacing = false;

  constructor(
    readonly pointers: ViewsPointers,
    public number: number,
    private readonly clock: Pick<Clock, 'after'>,
    /** Never goes back. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Asks for the pointer. @throws StoreUnavailableError */
  async poll(): Promise<ViewsPointer> {
    const asked = this.now();
    const pointer = await this.pointers.read();
    if (pointer.number !== this.number) return pointer;
    this.#readUntil = asked + HOLDS;
    if (!pointer.closing) this.#openUntil = asked + HOLDS;
    return pointer;
  }

  /** @throws StoreUnavailableError where others serve from other views, and this process does not soon */
  demandReadable(): Promise<void> {
    const isReadable = () => this.now() < this.#readUntil;
    return this.#demand(isReadable, () => new StoreUnavailableError('The views are being replaced.', false));
  }

  /**
   * What was written until now is in whatever views are served from after.
   * @throws StoreUnavailableError
   */
  demandOpen(): Promise<void> {
    const isOpen = () => this.now() < this.#openUntil;
    const replaced = 'The views were replaced while this was written.';
    return this.#demand(isOpen, () => new StoreUnavailableError(replaced, true));
  }

  /** Asks again while the answer is too late, or this process has yet to follow the others. */
  async #demand(holds: () => boolean, refusal: () => StoreUnavailableError): Promise<void> {
    const until = this.now() + ASKED_FOR;
    while (!holds()) {
      await this.poll();
      if (holds()) return;
      if (this.now() >= until) throw refusal();
      await pause(this.clock, ASKED_EVERY);
    }
  }

  /** A call on the views: not begun on views that others no longer serve from, nor believed where these are gone. */
  async use<T>(call: () => Promise<T>): Promise<T> {
    await this.demandReadable();
    const began = this.now();
    const result = await call();
    if (this.now() - began > LONGEST_CALL)
      throw new StoreUnavailableError('Reading the views took too long.', true);
    return result;
  }
}
