import { scanAfter } from '#eventsourcing/log/scan-after.js';
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, EVENT_STORE, IDS, LOGGER, VIEWS } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { rented, TenantAccessViews } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { UnitDirectory, UNITS } from '#domain/units/index.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { AnnouncementsBegin } from './announcements-begin.js';
import { Announcements } from './announcements.js';
import { type Progress, AnnouncerProgress } from './announcer-progress.js';
import { type Followed, followEvents } from './core/followed-events.js';
import type { Trigger } from './core/look.js';
import { LookSchedule } from './look-schedule.js';

/** Milliseconds between two rounds. An event is followed when the views were checked against it, a second after it came. */
const INTERVAL_MS = 1_000;
/** Few sandboxes are in use, and each costs a read. */
const SANDBOXES_EVERY_MS = 8_000;
/** Milliseconds between two saves while there is much to do. After a crash the units since are compared again. */
const SAVE_EVERY_MS = 1_000;
const EVENTS_PER_READ = 500;
const UNITS_PER_READ = 500;
/** Units that are looked at and announced at once. Requests are served between two parts. */
const UNITS_PER_PART = 100;

/**
 * Announces changes of access, in the leading process. It follows the log up to where the views show it, looks at the units
 * whose access the calendar changes, and after a rebuild or on a first start at all units.
 */
@Injectable()
export class Announcer {
  readonly #work: RepeatedWork;
  /** The position up to which the views show the log. */
  #viewsReached: () => bigint | undefined = () => undefined;
  /** As it was last stored. Undefined until the first round. */
  #progress: Progress | undefined;
  #savedAt = 0;
  #sandboxesAt = 0;
  /** Marks the events of this term, which it need not follow. */
  #announced_by = '';

  constructor(
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) logger: Logger,
    private readonly begun: AnnouncementsBegin,
    private readonly announcements: Announcements,
    private readonly stored: AnnouncerProgress,
    private readonly schedule: LookSchedule,
    private readonly clocks: CompanyClocks,
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccessViews,
  ) {
    const failed = (error: unknown) =>
      logger.warn({ error }, 'Changes of access could not be announced; trying again.');
    this.#work = new RepeatedWork({ clock, failed, interval: INTERVAL_MS }, () => this.runRound());
  }

  /** Records the first begin. Call it before the first request. @throws StoreUnavailableError */
  begin(): Promise<void> {
    return this.begun.begin();
  }

  /** @param reached the position up to which the views show the log */
  start(reached: () => bigint | undefined): void {
    this.#viewsReached = reached;
    this.#announced_by = this.ids.ulid();
    this.#progress = undefined;
    this.#work.start();
  }

  /** Resolves when the running part has ended. */
  stop(): Promise<void> {
    return this.#work.stop();
  }

  /** Announces all that is due now, the oldest first, some units at a time. @throws StoreUnavailableError */
  async runRound(): Promise<void> {
    let progress = await this.#load();
    for (let isBusy = true; isBusy && !this.#work.isOver;) {
      const followed = await this.#followLog(progress);
      const isDue = await this.#lookAtDue();
      const passed = await this.#continuePass(followed);
      isBusy = isDue || passed !== progress;
      progress = await this.#saveSometimes(passed);
    }
    await this.#save(progress);
    await this.#lookAtSandboxes();
  }

  /** The progress as it is stored. Another leader may have written it, or a rebuild removed it. */
  async #load(): Promise<Progress> {
    const stored = await this.stored.read();
    if (stored !== undefined) {
      this.#progress = stored;
      return stored;
    }
    const reached = this.#viewsReached();
    const begun = await this.stored.write(undefined, {
      position: reached === undefined ? null : String(reached),
      pass: { after: null },
    });
    if (begun === undefined) return this.#load();
    this.#progress = begun;
    return begun;
  }

  async #saveSometimes(progress: Progress): Promise<Progress> {
    return this.clock.now() - this.#savedAt >= SAVE_EVERY_MS ? this.#save(progress) : progress;
  }

  /** @returns what is stored then: if another process wrote or removed it meanwhile, that counts */
  async #save(progress: Progress): Promise<Progress> {
    const known = this.#progress!;
    if (progress === known) return progress;
    const { position, pass } = progress;
    this.#savedAt = this.clock.now();
    const saved = await this.stored.write(known, { position, pass });
    if (saved === undefined) return this.#load();
    this.#progress = saved;
    return saved;
  }

  /** Follows some events. @returns the same progress if there are none */
  async #followLog(progress: Progress): Promise<Progress> {
    const reached = this.#viewsReached();
    const after = progress.position === null ? undefined : BigInt(progress.position);
    if (reached === undefined || (after !== undefined && after >= reached)) return progress;
    const read = await this.#readEvents(after);
    if (read === 'lost') return { ...progress, position: String(reached), pass: { after: null } };
    const { events, end } = read;
    if (end === undefined || end === after) return progress;
    await this.#follow(events.filter(({ position }) => position <= reached));
    return { ...progress, position: String(end > reached ? reached : end) };
  }

  async #readEvents(after: bigint | undefined) {
    try {
      return await scanAfter(this.log, after, EVENTS_PER_READ);
    } catch (error) {
      // A backup was restored whose log is shorter.
      if (error instanceof PositionLostError) return 'lost';
      throw error;
    }
  }

  async #follow(events: readonly RecordedEvent[]): Promise<void> {
    const followed = followEvents(events, this.#announced_by);
    const triggers = await this.#triggersOf(followed);
    await this.#announce(triggers);
    for (const { location_id, revision, at } of followed.policies)
      await this.#lookAtLocation(location_id, { kind: 'policy', location_id, revision, at }, triggers);
    for (const location_id of followed.noticed)
      await this.#lookAtLocation(location_id, { kind: 'any' }, triggers);
    for (const company_id of followed.advanced) await this.#lookAtSandbox(company_id);
  }

  /** The units that the events name, and the other units of their tenants. */
  async #triggersOf({ units, tenants, policies, announcedElsewhere }: Followed) {
    const triggers = new Map(units);
    const lookAtAnyway = (stream: string) => triggers.set(stream, { kind: 'any' });
    const own = (await this.units.byStreams([...units.keys()])).filter((unit) => unit !== undefined);
    const renters = new Set([...tenants, ...own.flatMap(({ tenancy }) => tenancy?.tenant_id ?? [])]);
    for (const stream of await this.#rentedBy([...renters])) if (!triggers.has(stream)) lookAtAnyway(stream);
    for (const { _id } of await this.units.byUnitIds([...announcedElsewhere])) lookAtAnyway(_id);
    // A new policy and an event of the unit: either may be the cause.
    const changed = new Set(policies.map(({ location_id }) => location_id));
    for (const { _id, location_id } of own) if (changed.has(location_id)) lookAtAnyway(_id);
    return triggers;
  }

  /** The streams of the units. */
  async #rentedBy(tenant_ids: readonly string[]): Promise<string[]> {
    const documents = tenant_ids.length === 0 ? [] : await this.tenants.findDocuments(tenant_ids);
    return documents.flatMap((document) => rented(document?.units ?? []).map(({ stream }) => stream));
  }

  async #lookAtLocation(
    location_id: string,
    trigger: Trigger,
    done: ReadonlyMap<string, Trigger>,
  ): Promise<void> {
    for await (const units of this.units.allOfLocation(location_id, UNITS_PER_READ)) {
      const left = units.filter(({ _id }) => !done.has(_id));
      await this.#announce(new Map(left.map(({ _id }) => [_id, trigger])));
      if (this.#work.isOver) throw new Error('The announcer was stopped.');
    }
  }

  async #announce(triggers: ReadonlyMap<string, Trigger>): Promise<void> {
    const all = [...triggers];
    for (let from = 0; from < all.length; from += UNITS_PER_PART) {
      if (from > 0) await nextTurn();
      if (this.#work.isOver) throw new Error('The announcer was stopped.');
      await this.announcements.announceUnits(
        new Map(all.slice(from, from + UNITS_PER_PART)),
        this.#announced_by,
      );
    }
  }

  /** @returns false if nothing was due */
  async #lookAtDue(company_id?: string): Promise<boolean> {
    const now = company_id === undefined ? this.clock.now() : await this.clocks.now(company_id);
    const due = await this.schedule.findDue(now, UNITS_PER_PART, company_id);
    await this.#announce(new Map(due.map(({ _id }) => [_id, { kind: 'any' }])));
    return due.length > 0;
  }

  async #lookAtSandboxes(): Promise<void> {
    if (this.clock.now() - this.#sandboxesAt < SANDBOXES_EVERY_MS) return;
    for (const company_id of (await this.clocks.sandboxClocks()).keys())
      await this.#lookAtSandbox(company_id);
    this.#sandboxesAt = this.clock.now();
  }

  async #lookAtSandbox(company_id: string): Promise<void> {
    while (!this.#work.isOver && (await this.#lookAtDue(company_id)));
  }

  /** Looks at the next units of a pass over all units, if one is under way. */
  async #continuePass(progress: Progress): Promise<Progress> {
    if (progress.pass === null) return progress;
    const units = await this.views.collection(UNITS);
    const page = await units.page(progress.pass.after ?? undefined, UNITS_PER_READ);
    await this.#announce(new Map(page.map(({ _id }) => [_id, { kind: 'any' }])));
    const last = page.at(-1);
    return { ...progress, pass: last === undefined ? null : { after: last._id } };
  }
}
