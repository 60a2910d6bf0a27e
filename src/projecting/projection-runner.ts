import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import { pause } from '../config/pause.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { Fold, Projection, Snapshot } from '../writing/aggregate.js';
import type { ProjectionsInFlight } from '../writing/projections-in-flight.js';
import { AppendAssembly } from './append-assembly.js';
import { CatchUpReport } from './catch-up-report.js';
import { CheckpointKeeper, type Handled } from './checkpoint-keeper.js';
import { LagWatch, type ProjectionState } from './lag-watch.js';
import { together } from './together.js';
import type { EventStore, RecordedEvent, Subscription } from '../log/event-store.js';
import { isPositionLostError } from '../log/event-store.errors.js';
import { foldOnto, readFrom } from '../writing/stored-stream.js';
import { decodeEvent } from '../log/codec.js';
import { waitingEvents } from '../log/waiting-events.js';
import { partOf } from '../log/whole-appends.js';
import type { StoredDomainEvent } from '../log/domain-event.js';

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
const STOPPED = 'The catch-up of the views was stopped.';

type Append = readonly RecordedEvent[];

export interface ProjectionRunnerPorts {
  readonly store: EventStore;
  readonly views: DocumentStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly inFlight: ProjectionsInFlight;
  /** Told of each batch that was handled: how many events it had, and the position of the last. */
  readonly handled?: (events: number, upTo: bigint) => void;
}

/** The log was put in place of another, as a backup is, and the views were not. */
class ViewsOfAnotherLogError extends Error {
  readonly code = 'views_of_another_log';

  constructor(stream: string, revision: number) {
    super(
      `The views hold event ${revision} of ${stream}, which the log does not hold in its place. Put back the log that they were made from; or, if this log is the right one, build the views anew from it: storage-access views rebuild.`,
    );
    this.name = 'ViewsOfAnotherLogError';
  }
}

/**
 * Follows the whole log and applies to the views what no write has applied inline: after a crash, what another process
 * wrote, or everything where the views are empty. The checkpoint moves only behind events that were handled, in order.
 */
export class ProjectionRunner {
  #subscription: Subscription | undefined;
  #handled: Handled = { position: undefined, event: undefined, passed: undefined };
  #following = false;
  /** The log is another one than the views were made from; told once. */
  #replaced = false;
  #report: CatchUpReport | undefined;
  #pause = FIRST_PAUSE;
  /** Whether the views hold everything that was stored when the subscription last began. */
  #caughtUp = false;
  #stopped = false;
  #cancelRestart: () => void = () => undefined;
  #giveUp: () => void = () => undefined;
  #starting: Promise<void> = Promise.resolve();
  #restarting: Promise<void> = Promise.resolve();

  readonly #checkpoint: CheckpointKeeper;
  readonly #watch: LagWatch;

  constructor(
    private readonly ports: ProjectionRunnerPorts,
    private readonly projections: readonly Projection<unknown>[],
  ) {
    this.#checkpoint = new CheckpointKeeper(ports.views, ports.clock);
    this.#watch = new LagWatch(ports.store, ports.clock);
  }

  /**
   * Begins to follow the log. Resolves when everything that was stored by then is in the views; interruptions after
   * that are healed with back-off, and until then reject, as `stop` does.
   * @param fence that of the lease; absent where no other process can work on these stores
   * @throws StoreUnavailableError @throws CheckpointTakenOverError @throws ViewsOfAnotherLogError
   */
  start(fence?: number): Promise<void> {
    this.#stopped = false;
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
    this.ports.inFlight.follow(true);
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
      if (!isPositionLostError(error)) throw error;
      await this.#pass(undefined);
      return position;
    }
  }

  /** Ends after the batch that is being applied; the checkpoint is saved. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRestart();
    await this.#restarting;
    await this.#subscription?.stop();
    this.#giveUp();
    await this.#starting;
    this.ports.inFlight.follow(false);
    if (this.#following) await this.#checkpoint.close();
    this.#following = false;
  }

  /**
   * Resolves when whoever follows the log has handled everything that was stored by now: another process or, where that
   * ends meanwhile, this one, however often it has to take it up.
   * @param isOver whether nobody waits any more
   * @param answered called whenever the views have told how far they are, which is all that is asked for in the end
   * @throws StoreUnavailableError
   */
  async otherHasCaughtUp(isOver: () => boolean, answered: () => void = () => undefined): Promise<void> {
    const end = await this.#lastAfter(await this.#handledByOther());
    if (end === undefined) return;
    const report = new CatchUpReport(this.ports.clock, this.ports.logger, end);
    while (!isOver()) {
      const handled = await this.#handledByOther();
      answered();
      if (handled !== undefined && handled >= end) return;
      report.reached(handled ?? 0n);
      await pause(this.ports.clock, FIRST_PAUSE);
    }
  }

  async #handledByOther(): Promise<bigint | undefined> {
    const handled = await this.#checkpoint.read();
    this.#watch.reached(handled);
    return handled;
  }

  /** The last event's position; undefined where all has been handled. Others' events that were passed over are not looked through again. */
  async #lastAfter(handled: bigint | undefined): Promise<bigint | undefined> {
    const after = handled === undefined ? {} : { after: handled };
    const [last] = await this.ports.store.readAll({ limit: 1, backwards: true, ...after });
    return last?.position;
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
        this.#pause = FIRST_PAUSE;
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
    this.#cancelRestart = this.ports.clock.after(this.#pause, () => {
      this.#restarting = this.#goOn();
    });
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
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
    // Where others' events have been passed, what is lost may be theirs: the next try tells.
    const isLost = isPositionLostError(error) && passed === undefined;
    if (event === undefined || !(isLost || error instanceof ViewsOfAnotherLogError)) {
      return this.ports.logger.warn({ error }, 'The views cannot be brought up to the log; trying again.');
    }
    if (this.#replaced) return;
    this.#replaced = true;
    this.ports.logger.error({}, new ViewsOfAnotherLogError(event.stream, event.revision).message);
  }

  async #handle(events: readonly RecordedEvent[], assembly: AppendAssembly): Promise<void> {
    const { appends, handled } = assembly.take(events);
    const applied = await together(appends, ([first]) => this.ports.inFlight.hasApplied(first!));
    const missed = appends.filter((_, place) => !applied[place]);
    await this.#apply(await together(missed, (append) => this.#fromItsBeginning(append)));
    this.ports.inFlight.forget(appends.map(([first]) => first!));
    if (handled !== undefined && handled.position !== this.#handled.position) {
      this.#handled = { position: handled.position, event: handled, passed: undefined };
      this.#watch.reached(handled.position);
      this.#report?.reached(handled.position, events.length);
      await this.#checkpoint.move(handled);
    }
    this.ports.handled?.(events.length, events.at(-1)!.position);
  }

  async #pass(passed: bigint | undefined): Promise<void> {
    this.#handled = { ...this.#handled, passed };
    this.#watch.reached(passed ?? this.#handled.position);
    if (passed !== undefined) this.#report?.reached(passed);
    await this.#checkpoint.pass(passed);
  }

  /** The deliveries may have begun in the middle of an append. */
  #fromItsBeginning(append: Append): Append | Promise<Append> {
    const { stream, revision } = append[0]!;
    const limit = partOf(append[0]!).n - 1;
    if (limit === 0) return append;
    const before = this.ports.store.readStream(stream, { from: revision - limit, limit });
    return before.then((events) => [...events, ...append]);
  }

  async #apply(appends: readonly Append[]): Promise<void> {
    for (const projection of this.projections) {
      const prefix = `${projection.fold.category}-`;
      const some = appends.filter(([first]) => first!.stream.startsWith(prefix)).flat();
      if (some.length > 0) await this.#project(projection, some);
    }
  }

  async #project(projection: Projection<unknown>, recorded: readonly RecordedEvent[]): Promise<void> {
    const { fold } = projection;
    const byStream = groupByStream(recorded.map((event) => decodeEvent(fold.types, event)));
    const streams = [...byStream.keys()];
    // What begins here needs no fold at hand, and most of what a rebuild meets begins.
    const begun = streams.filter((stream) => byStream.get(stream)![0]!.revision > 0);
    const loaded = begun.length === 0 ? [] : await projection.load(begun);
    const known = new Map(begun.map((stream, place) => [stream, loaded[place]]));
    const folds = await together(streams, (stream) =>
      this.#foldTo(fold, byStream.get(stream)!, known.get(stream)),
    );
    await projection.project(
      streams.map((stream, place) => ({ stream, events: byStream.get(stream)!, after: folds[place]! })),
    );
  }

  /** The fold that holds the events: the one at hand, extended by them, or read from the log where a gap is between. */
  #foldTo(
    fold: Fold<unknown>,
    events: readonly StoredDomainEvent[],
    known: Snapshot<unknown> | undefined,
  ): Snapshot<unknown> | Promise<Snapshot<unknown>> {
    const head = known?.revision ?? -1;
    if (known !== undefined && head >= events.at(-1)!.revision) return known;
    const news = events[0]!.revision > head ? events : events.filter(({ revision }) => revision > head);
    if (news[0]!.revision === head + 1) return foldOnto(fold, known, news)!;
    const reading = readFrom(this.ports.store, fold, events[0]!.stream, 0);
    return reading.then((whole) => foldOnto(fold, undefined, whole)!);
  }
}

function groupByStream(events: readonly StoredDomainEvent[]): Map<string, StoredDomainEvent[]> {
  const groups = new Map<string, StoredDomainEvent[]>();
  for (const event of events) {
    const group = groups.get(event.stream);
    if (group === undefined) groups.set(event.stream, [event]);
    else group.push(event);
  }
  return groups;
}
