import { backOff } from '#kernel/core/back-off.js';
import type { Clock } from '#kernel/clock.js';
import type { Logger } from '#kernel/logger.js';
import { pause } from '#kernel/pause.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { Projector } from '#eventsourcing/writing/projector.js';
import { AppendAssembly } from './append-assembly.js';
import { CheckpointKeeper, type Handled } from './checkpoint-keeper.js';
import { realTimeOf } from '#eventsourcing/log/real-time.js';
import { LagWatch, type ViewsLag } from './lag-watch.js';
import { MissedAppends } from './missed-appends.js';
import type { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { EventStore, RecordedEvent, Subscription } from '#eventsourcing/log/event-store.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import { progressInLines } from '#eventsourcing/log/log-progress.js';
import { waitingEvents } from '#eventsourcing/log/waiting-events.js';

/** Milliseconds from an event to its check. By then the process that appended it has written the views, unless it failed. */
const CHECK_DELAY_MS = 1_000;
const PAUSES_MS = { first: 100, longest: 10_000 };
const STOPPED = 'The catch-up of the views was stopped.';

export interface CatchUpPorts {
  readonly store: EventStore;
  readonly damaged: Pick<DamagedStreams, 'findDamage'>;
  readonly views: DocumentStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The log was replaced by another one, for example by a backup, and the views were not. */
class ViewsOfAnotherLogError extends Error {
  readonly code = 'views_of_another_log';

  constructor(stream: string, revision: number) {
    super(
      `The views hold event ${revision} of ${stream}, but the log does not. Restore the log of these views. If this log is right, run storage-access views rebuild.`,
    );
    this.name = 'ViewsOfAnotherLogError';
  }
}

/**
 * Follows the log and applies events that the views do not show: those that a process appended before it crashed or failed.
 * It checks an event one second after it came. The checkpoint moves only over events that were handled, in order.
 */
export class CatchUp {
  #subscription: Subscription | undefined;
  #handled: Handled = { position: undefined, event: undefined, passed: undefined };
  #following = false;
  /** True if the views were made from another log. It is logged once. */
  #isOtherLog = false;
  #progress: ReturnType<typeof progressOf> | undefined;
  /** Failures in a row. */
  #failures = 0;
  /** True if the views show all events that were stored when the subscription began. */
  #caughtUp = false;
  #stopped = false;
  #stopping = new AbortController();
  #cancelRestart: () => void = () => undefined;
  #giveUp: () => void = () => undefined;
  #starting: Promise<void> = Promise.resolve();
  #restarting: Promise<void> = Promise.resolve();

  readonly #checkpoint: CheckpointKeeper;
  readonly #watch: LagWatch;
  readonly #missed: MissedAppends;

  constructor(
    private readonly ports: CatchUpPorts,
    projectors: readonly Projector<unknown>[],
  ) {
    this.#checkpoint = new CheckpointKeeper(ports.views, ports.clock);
    this.#watch = new LagWatch(ports.store, ports.clock);
    this.#missed = new MissedAppends(ports.store, projectors);
  }

  /**
   * Begins to follow the log. Resolves when the views show all events that were stored before. A fault or `stop` until then
   * rejects. After a later fault it tries again, with back-off.
   * @param fence of the lease; absent if no other process uses these stores
   * @throws StoreUnavailableError @throws CheckpointTakenOverError @throws ViewsOfAnotherLogError
   */
  start(fence?: number): Promise<void> {
    this.#stopped = false;
    this.#stopping = new AbortController();
    const starting = this.#start(fence);
    this.#starting = starting.catch(() => undefined);
    return starting;
  }

  async #start(fence: number | undefined): Promise<void> {
    this.#caughtUp = false;
    this.#handled = await this.#checkpoint.open(fence);
    await this.#assertSameLog();
    const end = await this.ports.store.head();
    if (end !== undefined) this.#progress = progressOf(this.ports, this.#handled, end);
    if (this.#stopped) throw new Error(STOPPED);
    this.#following = true;
    await new Promise<void>((resolve, reject) => {
      this.#giveUp = () => reject(new Error(STOPPED));
      this.#follow(resolve, reject);
    });
    this.#progress = undefined;
  }

  /** Views that are ahead of the log would skip the events that the log gets next. */
  async #assertSameLog(): Promise<void> {
    const { position, event } = this.#handled;
    if (event !== undefined) {
      const { id, stream, revision } = event;
      const [found] = await this.ports.store.readStream(stream, { from: revision, limit: 1 });
      const isThere = found?.id === id && found.position === position;
      if (!isThere && !(await this.#isDeleted(stream))) throw new ViewsOfAnotherLogError(stream, revision);
    }
    this.#watch.reached(await this.#passedOrHandled());
  }

  /** Somebody deleted the stream of the last event, or its beginning. The log may be the same all the same. */
  async #isDeleted(stream: string): Promise<boolean> {
    const [first] = await this.ports.store.readStream(stream, { limit: 1 });
    return first === undefined && this.ports.damaged.findDamage(stream) !== undefined;
  }

  /** After a restore, all our events may be in the log while events of other applications are missing. */
  async #passedOrHandled(): Promise<bigint | undefined> {
    const { position, passed } = this.#handled;
    if (passed === undefined) return position;
    try {
      await waitingEvents(this.ports.store, passed, { limit: 1, atMost: 1 });
      return passed;
    } catch (error) {
      if (!(error instanceof PositionLostError)) throw error;
      await this.#pass(undefined);
      return position;
    }
  }

  /** Ends after the current batch, and saves the checkpoint. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRestart();
    await this.#restarting;
    this.#stopping.abort();
    await this.#subscription?.stop();
    this.#giveUp();
    await this.#starting;
    if (this.#following) await this.#checkpoint.close();
    this.#following = false;
  }

  /**
   * Applies all events that are stored now. Another process may keep the checkpoint meanwhile.
   * @throws StoreUnavailableError @throws ViewsOfAnotherLogError
   */
  async catchUp(): Promise<void> {
    const { store } = this.ports;
    const { position, event, passed } = await this.#checkpoint.handled();
    this.#handled = { position, event, passed };
    await this.#assertSameLog();
    const assembly = new AppendAssembly();
    const progress = progressOf(this.ports, this.#handled, (await store.head()) ?? 0n);
    for await (const events of pagesOf(store, undefined, passed ?? position)) {
      await this.#missed.apply(assembly.take(events).appends);
      progress(events.at(-1)!.position, events.length);
      if (this.#stopped) throw new Error(STOPPED);
    }
  }

  async #handledByOther(): Promise<bigint | undefined> {
    const handled = await this.#checkpoint.read();
    this.#watch.reached(handled);
    return handled;
  }

  /** The lag of the views, also if another process keeps them. @throws StoreUnavailableError */
  async state(): Promise<ViewsLag> {
    if (this.#isOtherLog) return { lag: null, age_ms: null, stalled: true };
    if (!this.#following) await this.#handledByOther();
    return this.#watch.state();
  }

  /** The position up to which the views show the log, as this process has read it last. */
  get reached(): bigint | undefined {
    return this.#watch.position;
  }

  #follow(caughtUp: () => void, failed: (error: unknown) => void): void {
    const assembly = new AppendAssembly();
    const { position, passed } = this.#handled;
    this.#subscription = this.ports.store.subscribe(passed ?? position, {
      handle: (events) => this.#handle(events, assembly),
      passed: async (position) => {
        if (assembly.isWhole) await this.#pass(position);
      },
      caughtUp: () => {
        this.#caughtUp = true;
        this.#isOtherLog = false;
        this.#failures = 0;
        caughtUp();
      },
      failed: (error) => {
        if (this.#caughtUp) this.#restart(error);
        else failed(error);
      },
    });
  }

  #restart(error: unknown): void {
    if (this.#stopped) return;
    this.#logFailure(error);
    this.#failures += 1;
    this.#cancelRestart = this.ports.clock.after(backOff(this.#failures, PAUSES_MS), () => {
      this.#restarting = this.#goOn();
    });
  }

  async #goOn(): Promise<void> {
    try {
      await this.#assertSameLog();
    } catch (error) {
      return this.#restart(error);
    }
    if (this.#stopped) return;
    this.#follow(
      () => undefined,
      (error) => this.#restart(error),
    );
  }

  #logFailure(error: unknown): void {
    const { event, passed } = this.#handled;
    // If events of other applications were passed, the lost position may be one of theirs. The next try finds out.
    const isLost = error instanceof PositionLostError && passed === undefined;
    if (event === undefined || !(isLost || error instanceof ViewsOfAnotherLogError)) {
      return this.ports.logger.warn({ error }, 'The catch-up of the views was interrupted; trying again.');
    }
    if (this.#isOtherLog) return;
    this.#isOtherLog = true;
    this.ports.logger.error({}, new ViewsOfAnotherLogError(event.stream, event.revision).message);
  }

  async #handle(events: readonly RecordedEvent[], assembly: AppendAssembly): Promise<void> {
    if (this.#caughtUp) await this.#wait(events.at(-1)!);
    const { appends, handled } = assembly.take(events);
    await this.#missed.apply(appends);
    if (handled !== undefined && handled.position !== this.#handled.position) {
      this.#handled = { position: handled.position, event: handled, passed: undefined };
      this.#watch.reached(handled.position);
      this.#progress?.(handled.position, events.length);
      await this.#checkpoint.move(handled);
    }
  }

  /** The wait is bounded, because the clock of the process that appended the event may be ahead. */
  async #wait(last: RecordedEvent): Promise<void> {
    const { clock } = this.ports;
    const left = Math.min(CHECK_DELAY_MS, realTimeOf(last) + CHECK_DELAY_MS - clock.now());
    if (left > 0) await pause(clock, left, this.#stopping.signal);
    if (this.#stopping.signal.aborted) throw new Error(STOPPED);
  }

  /** @param passed see `Handled` */
  async #pass(passed: bigint | undefined): Promise<void> {
    this.#handled = { ...this.#handled, passed };
    this.#watch.reached(passed ?? this.#handled.position);
    if (passed !== undefined) this.#progress?.(passed);
    await this.#checkpoint.pass(passed);
  }
}

/** Logs how far a catch-up is, from what was handled before to `end`. */
function progressOf({ clock, logger }: CatchUpPorts, { position, passed }: Handled, end: bigint) {
  const from = passed ?? position ?? 0n;
  const all = Math.max(1, Number(end - from));
  const write = (line: string) => logger.info({}, `The views are catching up: ${line.trim()}.`);
  const report = progressInLines(write, 'applied', clock);
  let applied = 0;
  return (reached: bigint, events = 0): void => {
    applied += events;
    report(applied, Math.min(1, Number(reached - from) / all));
  };
}
