import type { Clock } from '#kernel/clock.js';

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/** A clock that stands still until a test moves it, and then fires the timers that came due, in their order. */
export class ManualClock implements Clock {
  private readonly timers = new Set<Timer>();

  constructor(private instant = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.instant;
  }

  after(milliseconds: number, task: () => void): () => void {
    const timer: Timer = { due: this.instant + milliseconds, task };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Timers that wait: none should be left when what they belong to has closed. */
  get pending(): number {
    return this.timers.size;
  }

  /** Fires the next timer, where it is due within so many milliseconds: no time passes otherwise. */
  advanceToNext(within: number): void {
    const next = this.next(this.instant + within);
    if (next !== undefined) this.advance(next.due - this.instant);
  }

  advance(milliseconds: number): void {
    const end = this.instant + milliseconds;
    for (let timer = this.next(end); timer !== undefined; timer = this.next(end)) {
      this.timers.delete(timer);
      this.instant = Math.max(this.instant, timer.due);
      timer.task();
    }
    this.instant = end;
  }

  private next(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.timers)
      if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer;
    return next;
  }
}
