import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.js';
import type { Random } from './random.js';

/** Something that waits for its turn: a call on its way to a store, or an answer on its way back. */
export interface Task {
  readonly owner: string;
  readonly run: () => void;
  /** Tasks that name the same queue run in the order in which they came. */
  readonly queue?: string | undefined;
  /** What becomes of it when its owner crashes; otherwise it vanishes. */
  readonly orphaned?: () => void;
  /** What it is told when its queue is refused. */
  readonly refused?: () => void;
}

interface Timer {
  readonly due: number;
  readonly number: number;
  readonly owner: string;
  readonly task: () => void;
}

/** Nothing waits for so long: what has not ended by then never will. */
const PATIENCE = 30 * 60_000;

/**
 * The world's order of events. One task or timer runs at a time, chosen by the seed. The next begins when the effects
 * of the one before have ended. Time stops while tasks wait, and moves to the next timer when none is left.
 */
export class Scheduler {
  instant: number;
  private tasks: Task[] = [];
  private timers: Timer[] = [];
  private numbered = 0;
  /** How many tasks have run. */
  turns = 0;
  /** Nothing else is under way: what is asked is done at once, as no order would make a difference. */
  calm = false;

  constructor(
    start: number,
    public random: Random,
  ) {
    this.instant = start;
  }

  /** Whether nothing waits for its turn. */
  get isAtRest(): boolean {
    return this.tasks.length === 0;
  }

  add(task: Task): void {
    this.tasks.push(task);
  }

  /** The clock as an owner's process sees it. */
  clockOf(owner: string): Clock {
    return {
      now: () => this.instant,
      after: (milliseconds, task) => {
        const due = this.instant + Math.ceil(milliseconds);
        const timer: Timer = { due, number: this.numbered++, owner, task };
        this.timers.push(timer);
        return () => {
          this.timers = this.timers.filter((other) => other !== timer);
        };
      },
    };
  }

  /** Resolves when `done`, and what it set off, has come to rest. @throws Error where that will never be */
  async until(done: () => boolean): Promise<void> {
    const deadline = this.instant + PATIENCE;
    for (;;) {
      await settled();
      if (done()) return;
      if (this.runOne()) continue;
      await settled();
      await settled();
      if (done()) return;
      if (this.runOne()) continue;
      this.fireNext(deadline);
    }
  }

  /** Runs everything that waits, without moving the clock. */
  async rest(): Promise<void> {
    do await settled();
    while (this.runOne());
    await settled();
    if (this.runOne()) await this.rest();
  }

  /**
   * Waits for a process that starts. As long as it has asked for nothing, modules are being loaded: real time passes
   * then, and nothing else may happen meanwhile, for nobody knows how long that takes.
   */
  async boot<T>(owner: string, starting: Promise<T>): Promise<T> {
    let ended = false;
    const ending = starting.finally(() => (ended = true));
    ending.catch(() => undefined);
    while (!ended && !this.tasks.some((task) => task.owner === owner)) await settled();
    await this.until(() => ended);
    return ending;
  }

  /** Moves the clock at once, as when a machine has slept, and lets timers that came due fire once each. */
  async jump(milliseconds: number): Promise<void> {
    this.instant += milliseconds;
    const due = this.timers.filter((timer) => timer.due <= this.instant).sort(byDue);
    for (const timer of due) {
      if (!this.timers.includes(timer)) continue;
      this.timers = this.timers.filter((other) => other !== timer);
      timer.task();
      await this.rest();
    }
  }

  /** Takes a crashed process's tasks and timers out of the world. */
  bury(owner: string): void {
    this.timers = this.timers.filter((timer) => timer.owner !== owner);
    const orphans = this.tasks.filter((task) => task.owner === owner);
    this.tasks = this.tasks.filter((task) => task.owner !== owner);
    for (const { orphaned } of orphans) orphaned?.();
  }

  /** Lets all that waits in a queue fail. */
  refuse(queue: string): void {
    const refused = this.tasks.filter((task) => task.queue === queue);
    this.tasks = this.tasks.filter((task) => task.queue !== queue);
    for (const task of refused) task.refused?.();
  }

  private runOne(): boolean {
    const ready = this.readyTasks();
    if (ready.length === 0) return false;
    const task = ready.length === 1 ? ready[0]! : this.random.pick(ready);
    this.tasks.splice(this.tasks.indexOf(task), 1);
    this.turns += 1;
    task.run();
    return true;
  }

  private readyTasks(): Task[] {
    const queues = new Set<string>();
    return this.tasks.filter(({ queue }) => {
      if (queue === undefined) return true;
      if (queues.has(queue)) return false;
      queues.add(queue);
      return true;
    });
  }

  private fireNext(deadline: number): void {
    const next = [...this.timers].sort(byDue)[0];
    if (next === undefined || next.due > deadline) throw new Error('Something waits that will never come.');
    this.timers = this.timers.filter((timer) => timer !== next);
    this.instant = Math.max(this.instant, next.due);
    next.task();
  }
}

function byDue(one: Timer, other: Timer): number {
  return one.due - other.due || one.number - other.number;
}

/** Lets microtasks, ticks and immediates run. Nothing else is ever waited for in a simulation. */
function settled(): Promise<void> {
  return nextTurn();
}
