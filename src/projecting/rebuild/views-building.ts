import type { EventStore } from '../../log/event-store.js';
import { shareOfLog } from '../../log/log-pass.js';
import type { LogProgress } from '../../log/log-progress.js';
import { ProjectionsInFlight } from '../../writing/projections-in-flight.js';
import { ProjectionRunner, type ProjectionRunnerPorts } from '../projection-runner.js';
import type { Projection } from '../../writing/aggregate.js';
import { HeldBackProjection } from './held-back-projection.js';

/** The parts of the service that fill views, at work on stores that nobody reads from yet. */
export interface ViewsBuilder {
  readonly projections: readonly Projection<unknown>[];
  /** Evaluates again what the calendar has overtaken since it was decided. */
  sweep(): Promise<void>;
  /** Closes nothing of the stores. */
  close(): Promise<void>;
}

/** Events that are left to be applied while everybody waits: as many as one bulk may bring. */
const NEAR = 500;
/** Where writers are faster than the building, they wait for what is left after so many rounds. */
const MOST_ROUNDS = 10;

const STOPPED = 'The building of the views was stopped.';

/** Fills views from the log alone. */
export class ViewsBuilding {
  readonly #runner: ProjectionRunner;
  readonly #heldBack: HeldBackProjection<unknown>[] = [];
  readonly #store: EventStore;
  #share: (position: bigint) => number = () => 0;
  #events = 0;
  #stopped = false;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly builder: ViewsBuilder,
    ports: Omit<ProjectionRunnerPorts, 'inFlight' | 'handled'>,
    progress: LogProgress,
    private readonly fence?: number,
  ) {
    this.#store = ports.store;
    const handled = (events: number, upTo: bigint) => progress((this.#events += events), this.#share(upTo));
    // What this process applied, it applied to other views.
    const inFlight = new ProjectionsInFlight(ports.clock);
    const projections = builder.projections.map((projection) => this.#holdBack(projection));
    this.#runner = new ProjectionRunner({ ...ports, inFlight, handled }, projections);
  }

  /**
   * Resolves when the views hold the log but for its newest events.
   * @throws StoreUnavailableError @throws CheckpointTakenOverError, and where it was stopped
   */
  async fill(): Promise<void> {
    this.#share = await shareOfLog(this.#store);
    await this.#catchUp();
    for (let round = 1; round < MOST_ROUNDS && (await this.#left()) > NEAR; round += 1) {
      await this.#catchUp();
    }
  }

  /**
   * Applies what has come since and what the calendar has brought, and ends. Nothing may be appended meanwhile.
   * @returns how many events the views hold
   * @throws as {@link fill}
   */
  async finish(): Promise<number> {
    await this.#catchUp();
    await this.builder.sweep();
    return this.#events;
  }

  /** Ends it wherever it is. Idempotent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#runner.stop();
    this.#closing ??= this.builder.close();
    await this.#closing;
  }

  async #left(): Promise<number> {
    return (await this.#runner.state()).lag ?? Infinity;
  }

  /** Everything that is stored by now. */
  async #catchUp(): Promise<void> {
    await this.#runner.stop();
    if (this.#stopped) throw new Error(STOPPED);
    await this.#runner.start(this.fence);
    // What came while a fold was being shown would be taken for shown with it.
    await this.#runner.stop();
    for (const projection of this.#heldBack) await projection.showAll();
  }

  #holdBack(projection: Projection<unknown>): Projection<unknown> {
    if (projection.showsEvent === undefined) return projection;
    const heldBack = new HeldBackProjection(projection, (...event) => projection.showsEvent!(...event));
    this.#heldBack.push(heldBack);
    return heldBack;
  }
}
