import { backOff } from '../base/core/back-off.js';
import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import { pause } from '../config/pause.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { Projector } from '../writing/aggregate.js';
import { AppendAssembly } from './append-assembly.js';
import { CatchUpReport } from './catch-up-report.js';
import { CheckpointKeeper, type Handled } from './checkpoint-keeper.js';
import { realTimeOf } from '../log/real-time.js';
import { LagWatch, type ProjectionState } from './lag-watch.js';
import { MissedAppends } from './missed-appends.js';
import type { EventStore, RecordedEvent, Subscription } from '../log/event-store.js';
import { PositionLostError } from '../log/event-store.errors.js';
import { pagesOf } from '../log/log-pass.js';
import { waitingEvents } from '../log/waiting-events.js';

/** Milliseconds after which an event is looked at: by then the write that appended it has shown it, unless it failed. */
const LOOKED_AT_AFTER = 1_000;
const PAUSES = { first: 100, longest: 10_000 };
const STOPPED = 'The catch-up of the views was stopped.';

export interface CatchUpPorts {
  readonly store: EventStore;
  readonly views: DocumentStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The log was put in place of another, as a backup is, and the views were not. */
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
 * Follows the whole log and applies what no write has applied inline: after a crash, or what another process could not.
 * It looks at an event one second after it came, and skips it if the views show it. The checkpoint moves only behind
 * events that were handled, in order.
 */
export class CatchUp {
  #subscription: Subscription | undefined;
  #handled: Handled = { position: undefined, event: undefined, passed: undefined };
  #following = false;
  /** The log is another one than the views were made from; told once. */
  #replaced = false;
  #report: CatchUpReport | undefined;
  /** Failures in a row. */
  #failures = 0;
  /** Whether the views hold everything that was stored when the subscription last began. */
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
   * Begins to follow the log. Resolves when everything that was stored by then is in the views; interruptions after
   * that are healed with back-off, and until then reject, as `stop` does.
   * @param fence that of the lease; absent where no other process can work on these stores
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
    await this.#demandKnown();
    const end = await this.ports.store.head();
    if (end !== undefined) this.#report = new CatchUpReport(this.ports.clock, this.ports.logger, end);
    if (this.#stopped) throw new Error(STOPPED);
    this.#following = true;
    await new Promise<void>((resolve, reject) => {
      this.#giveUp = () => reject(new Error(STOPPED));
      this.#follow(resolve, reject);
    });
    this.#report = undefined;
  }

  /** Views that are ahead of the log would pass over what it has yet to hold. */
  async #demandKnown(): Promise<void> {
    const { position, event } = this.#handled;
    if (event !== undefined) {
      const { id, stream, revision } = event;
      const [found] = await this.ports.store.readStream(stream, { from: revision, limit: 1 });
      if (found?.id !== id || found.position !== position) throw new ViewsOfAnotherLogError(stream, revision);
    }
    this.#watch.reached(await this.#furthest());
  }

  /** An older log that was put back may hold all that is ours, and less of others'. */
  async #furthest(): Promise<bigint | undefined> {
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

  /** Ends after the batch that is being applied; the checkpoint is saved. */
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
   * Applies what is stored by now, beside the process that keeps the checkpoint.
   * @throws StoreUnavailableError @throws ViewsOfAnotherLogError
   */
  async catchUp(): Promise<void> {
    const { store, clock, logger } = this.ports;
    const { position, event, passed } = await this.#checkpoint.handled();
    this.#handled = { position, event, passed };
    await this.#demandKnown();
    const assembly = new AppendAssembly();
    const report = new CatchUpReport(clock, logger, (await store.head()) ?? 0n);
    for await (const events of pagesOf(store, undefined, passed ?? position)) {
      await this.#missed.apply(assembly.take(events).appends);
      report.reached(events.at(-1)!.position, events.length);
      if (this.#stopped) throw new Error(STOPPED);
    }
  }

  async #handledByOther(): Promise<bigint | undefined> {
    const handled = await this.#checkpoint.read();
    this.#watch.reached(handled);
    return handled;
  }

  /** How far the views are behind the log, whoever keeps them. @throws StoreUnavailableError */
  async state(): Promise<ProjectionState> {
    if (this.#replaced) return { lag: null, stalled: true };
    if (!this.#following) await this.#handledByOther();
    return this.#watch.state();
  }

  /** Up to where the log is in the views, whoever keeps them, as this process saw it last. */
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
        this.#replaced = false;
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
    this.#tell(error);
    this.#failures += 1;
    this.#cancelRestart = this.ports.clock.after(backOff(this.#failures, PAUSES), () => {
      this.#restarting = this.#goOn();
    });
  }

  async #goOn(): Promise<void> {
    try {
      await this.#demandKnown();
    } catch (error) {
      return this.#restart(error);
    }
    if (this.#stopped) return;
    this.#follow(
      () => undefined,
      (error) => this.#restart(error),
    );
  }

  #tell(error: unknown): void {
    const { event, passed } = this.#handled;
    // If others' events have been passed, the lost ones may be theirs: the next try tells.
    const isLost = error instanceof PositionLostError && passed === undefined;
    if (event === undefined || !(isLost || error instanceof ViewsOfAnotherLogError)) {
      return this.ports.logger.warn({ error }, 'The catch-up of the views was interrupted; trying again.');
    }
    if (this.#replaced) return;
    this.#replaced = true;
    this.ports.logger.error({}, new ViewsOfAnotherLogError(event.stream, event.revision).message);
  }

  async #handle(events: readonly RecordedEvent[], assembly: AppendAssembly): Promise<void> {
    if (this.#caughtUp) await this.#wait(events.at(-1)!);
    const { appends, handled } = assembly.take(events);
    await this.#missed.apply(appends);
    if (handled !== undefined && handled.position !== this.#handled.position) {
      this.#handled = { position: handled.position, event: handled, passed: undefined };
      this.#watch.reached(handled.position);
      this.#report?.reached(handled.position, events.length);
      await this.#checkpoint.move(handled);
    }
  }

  /** A clock of another machine that is ahead lengthens nothing. */
  async #wait(last: RecordedEvent): Promise<void> {
    const { clock } = this.ports;
    const left = Math.min(LOOKED_AT_AFTER, realTimeOf(last) + LOOKED_AT_AFTER - clock.now());
    if (left > 0) await pause(clock, left, this.#stopping.signal);
    if (this.#stopping.signal.aborted) throw new Error(STOPPED);
  }

  async #pass(passed: bigint | undefined): Promise<void> {
    this.#handled = { ...this.#handled, passed };
    this.#watch.reached(passed ?? this.#handled.position);
    if (passed !== undefined) this.#report?.reached(passed);
    await this.#checkpoint.pass(passed);
  }
}
