import { Inject, Injectable } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { scanAfter } from '#eventsourcing/log/scan-after.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, EVENT_STORE, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { Yielder } from '#kernel/yielder.js';
import { EventFeed, isFed } from './event-feed.js';
import { CHUNK_SIZE } from './read-backwards.js';
import {
  ALL_COMPANIES,
  type LastEvent,
  type StaffEvent,
  StaffEvents,
  type StaffProgress,
} from './staff-events.js';
import { StaffKinds } from './staff-kinds.js';

const INTERVAL_MS = 1_000;

/**
 * Gathers the events that staff caused, by company: they are few, and lie far apart in a busy log. The leading process does so.
 * One that does not know yet that another leads can neither write its progress nor remove what the other gathers. Events never
 * change, so what is kept is right for ever. Throws StoreUnavailableError.
 */
@Injectable()
export class StaffGathering {
  readonly #work: RepeatedWork;
  #reached: () => bigint | undefined = () => undefined;
  /** The version of the progress that this process wrote, or checked against the log. */
  #known: number | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
    private readonly events: StaffEvents,
    private readonly feed: EventFeed,
    private readonly damaged: DamagedStreams,
    private readonly kinds: StaffKinds,
  ) {
    const failed = (error: unknown) => {
      this.#known = undefined;
      logger.warn({ error }, 'What staff did could not be gathered; trying again.');
    };
    this.#work = new RepeatedWork({ clock, failed, interval: INTERVAL_MS }, () => this.#gather());
  }

  /** @param reached the position up to which the views show the log */
  start(reached: () => bigint | undefined): void {
    this.#reached = reached;
    this.#known = undefined;
    this.#work.start();
  }

  stop(): Promise<void> {
    return this.#work.stop();
  }

  /**
   * Forgets all that was gathered; the leading process removes it and gathers it anew. The progress is kept with a new version,
   * so that a gather under way cannot write its own.
   */
  async forget(): Promise<void> {
    await untilItHolds(async () => {
      const stored = await this.events.readProgress();
      return (await this.events.writeProgress(forgotten(stored))) ?? OVERTAKEN;
    });
  }

  /** Goes through the log up to where the views show it. */
  async #gather(): Promise<void> {
    const reached = this.#reached();
    if (reached === undefined) return;
    let progress = await this.#begin(reached);
    const readOwners = this.#ownersReader();
    const yielder = new Yielder(this.#work);
    while (progress !== undefined && !hasReached(progress, reached)) {
      progress = await this.#gatherSome(progress, reached, readOwners);
      this.#known = progress?.version;
      await yielder.after(CHUNK_SIZE);
    }
  }

  /** @returns undefined if what was gathered is of another log, and was forgotten, or if another process wrote the progress */
  async #begin(reached: bigint): Promise<StaffProgress | undefined> {
    const stored = await this.events.readProgress();
    const { version, position, last } = stored;
    if (version === this.#known && position !== null && BigInt(position) <= reached) return stored;
    if (last === null) return this.#beginAnew(stored);
    if (!(await this.#isInLog(last))) return void (await this.forget());
    // A restored log may lack events of other applications that were passed after this one.
    const checked =
      position === last.position
        ? stored
        : await this.events.writeProgress({ ...stored, position: last.position });
    this.#known = checked?.version;
    return checked;
  }

  /** The events were forgotten, or a crash left them: they may be of a log that was lost. */
  async #beginAnew(stored: StaffProgress): Promise<StaffProgress | undefined> {
    const begun = await this.events.writeProgress(forgotten(stored));
    if (begun !== undefined) await this.events.removeBefore(begun.version);
    return begun;
  }

  /** After the restore of a backup, the log may hold other events at the same positions. */
  async #isInLog({ id, stream, revision, position }: LastEvent): Promise<boolean> {
    const [found] = await this.log.readStream(stream, { from: revision, limit: 1 });
    if (found?.id === id && found.position === BigInt(position)) return true;
    const [first] = await this.log.readStream(stream, { limit: 1 });
    return first === undefined && this.damaged.findDamage(stream) !== undefined;
  }

  #isOfStaff(event: RecordedEvent): boolean {
    if ((event.metadata['actor'] as unknown as Actor).kind !== 'operator') return false;
    return isFed(event, undefined) || this.kinds.isTold(event);
  }

  /** Returns a function that tells in which logs an event is: as {@link ALL_COMPANIES} says, or of these companies. */
  #ownersReader(): (event: RecordedEvent) => Promise<readonly string[]> {
    const readOwner = this.feed.ownerReader();
    const readCompanies = this.kinds.companiesReader();
    return async (event) => {
      if (this.kinds.isTold(event)) return (await readCompanies(event)) ?? [ALL_COMPANIES];
      const owner = await readOwner(event);
      return typeof owner === 'object' ? [owner.company_id] : [];
    };
  }

  /** @returns undefined if another process wrote the progress meanwhile */
  async #gatherSome(
    progress: StaffProgress,
    reached: bigint,
    readOwners: (event: RecordedEvent) => Promise<readonly string[]>,
  ): Promise<StaffProgress | undefined> {
    const after = progress.position === null ? undefined : BigInt(progress.position);
    const { events, end } = await scanAfter(this.log, after, CHUNK_SIZE);
    const shown = events.filter((event) => event.position <= reached);
    const ofStaff: StaffEvent[] = [];
    for (const event of shown.filter((one) => this.#isOfStaff(one))) {
      const told = this.kinds.withToldFields(event);
      for (const company_id of await readOwners(event)) ofStaff.push({ company_id, event: told });
    }
    await this.events.keep(ofStaff, progress.version);
    const position = end === undefined || end === after || end > reached ? reached : end;
    const last = shown.at(-1);
    return this.events.writeProgress({
      ...progress,
      position: String(position),
      last: last === undefined ? progress.last : lastEvent(last),
    });
  }
}

function forgotten(progress: StaffProgress): StaffProgress {
  return { ...progress, position: null, last: null };
}

function hasReached({ position }: StaffProgress, reached: bigint): boolean {
  return position !== null && BigInt(position) >= reached;
}

function lastEvent({ id, stream, revision, position }: RecordedEvent): LastEvent {
  return { id, stream, revision, position: String(position) };
}
