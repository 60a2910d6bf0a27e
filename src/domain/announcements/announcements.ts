import { Inject, Injectable, Optional } from '@nestjs/common';
import type { AccessBeginning, AccessEvent, Calendar, ShortDecision } from '#domain/access/index.js';
import { AccessBeginnings, type BeginningSearch } from '#domain/history/index.js';
import type { Ids } from '#kernel/ids.js';
import { inBatches } from '#kernel/in-batches.js';
import { CALENDAR, IDS, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { ANNOUNCED, type AnnouncedKind } from './announced.aggregate.js';
import { AnnouncedProjector } from './announced.projector.js';
import { AnnouncementObserver } from './announcement-observer.js';
import { AnnouncementsBegin } from './announcements-begin.js';
import {
  baselineOf,
  changeOf,
  decideLooked,
  differenceOf,
  obviousBeginning,
  type Trigger,
} from './core/look.js';
import { LookListener } from './look-listener.js';
import { LookSchedule } from './look-schedule.js';
import { type ReadUnit, UnitLooks } from './unit-looks.js';

/** Each lost attempt means that another process has announced. So many in a row cannot be normal. */
const MOST_ATTEMPTS = 10;

/** An announcement of one unit. */
interface Announcement {
  readonly read: ReadUnit;
  readonly event: AccessEvent;
}

/** Compares units with what was announced about them, and announces what differs. */
@Injectable()
export class Announcements {
  constructor(
    private readonly begin: AnnouncementsBegin,
    private readonly looks: UnitLooks,
    private readonly schedule: LookSchedule,
    private readonly beginnings: AccessBeginnings,
    private readonly projector: AnnouncedProjector,
    private readonly runner: CommandRunner,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly observer: AnnouncementObserver,
    @Optional() private readonly listener?: LookListener,
  ) {}

  /**
   * Resolves when what is decided about these units is what was announced, and it is known when to look again.
   * @param triggers by the unit's stream @param announced_by marks the events of this announcer
   * @throws StoreUnavailableError
   */
  async announceUnits(triggers: ReadonlyMap<string, Trigger>, announced_by: string): Promise<void> {
    let open = triggers;
    for (let attempt = 1; open.size > 0; attempt += 1) {
      if (attempt > MOST_ATTEMPTS)
        throw new StoreUnavailableError('Another process announces changes of access too.', true);
      const overtaken = await this.#attempt(open, announced_by);
      open = new Map(overtaken.map((stream) => [stream, { kind: 'any' }]));
    }
  }

  /** @returns the streams of the units to look at again */
  async #attempt(triggers: ReadonlyMap<string, Trigger>, announced_by: string): Promise<string[]> {
    const { units, stray } = await this.looks.readUnits(triggers);
    // After the units were read, so that the log explains what they show.
    const search = this.beginnings.search();
    const decided = units.map((read) => ({ read, decision: decideLooked(read.looked, this.calendar) }));
    const prepared = await inBatches(decided, async ({ read, decision }): Promise<Announcement[]> => {
      const difference = differenceOf(read.looked, decision);
      if (difference === 'none') return [];
      const isBaseline = difference === 'baseline' || (difference === 'first' && (await this.#isOlder(read)));
      const event = isBaseline
        ? baselineOf(read.looked, decision)
        : changeOf(read.looked, decision, await this.#beginningOf(read, decision, search));
      return [{ read, event }];
    });
    const overtaken = await this.#announce(prepared.flat(), announced_by);
    const open = new Set(overtaken);
    await this.listener?.unitsLookedAt(units.filter(({ unit }) => !open.has(unit._id)));
    const planned = decided.flatMap(({ read: { unit, look }, decision }) =>
      open.has(unit._id)
        ? []
        : [{ stream: unit._id, company_id: unit.company_id, known: look, look_at: decision.valid_until }],
    );
    const ended = stray.map((look) => {
      return { stream: look._id, company_id: look.company_id, known: look, look_at: null };
    });
    return [...overtaken, ...(await this.schedule.planLooks([...planned, ...ended]))];
  }

  async #isOlder({ unit, looked }: ReadUnit): Promise<boolean> {
    return looked.trigger.kind !== 'new' && this.begin.isOlder(unit);
  }

  async #beginningOf(
    { unit, looked, announced }: ReadUnit,
    decision: ShortDecision,
    search: BeginningSearch,
  ): Promise<AccessBeginning> {
    const obvious = obviousBeginning(looked, decision, this.calendar);
    if (obvious !== undefined) return obvious;
    const { now } = looked.input;
    const since = announced && (announced.state.effective_at ?? announced.last_at);
    const found = await this.#findBeginning(unit, decision, { since, now }, search);
    // The log explains it not, as after the damage of a stream.
    return found ?? { cause: { kind: 'write', revision: unit.revision }, effective_at: now };
  }

  async #findBeginning(
    unit: ReadUnit['unit'],
    decision: ShortDecision,
    { since, now }: { readonly since: number | undefined; readonly now: number },
    search: BeginningSearch,
  ): Promise<AccessBeginning | undefined> {
    try {
      const found = await search.findBeginning(unit, decision, { since, now });
      if (found !== undefined || since === undefined) return found;
      // The clocks of processes differ: it may have begun before.
      return await search.findBeginning(unit, decision, { since: undefined, now });
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      this.logger.warn({ error, stream: unit._id }, 'The cause of a change of access was not found.');
      return undefined;
    }
  }

  /** @returns the streams of the units that another process was first to announce */
  async #announce(announcements: readonly Announcement[], announced_by: string): Promise<string[]> {
    const byClock = new Map<number, Announcement[]>();
    for (const one of announcements) {
      const { ahead } = one.read.clock;
      const group = byClock.get(ahead);
      if (group === undefined) byClock.set(ahead, [one]);
      else group.push(one);
    }
    const overtaken: string[] = [];
    for (const group of byClock.values()) {
      const outcomes = await this.#append(group, announced_by);
      for (const [index, outcome] of outcomes.entries()) {
        const { read, event } = group[index]!;
        if (outcome.kind === 'rejected') continue;
        if (outcome.result === 'overtaken') overtaken.push(read.unit._id);
        else if (outcome.changed && event.type === 'AccessChanged')
          this.observer.countAnnouncement(event.data.cause.kind);
      }
    }
    return overtaken;
  }

  /** @param announcements by one clock */
  #append(
    announcements: readonly Announcement[],
    announced_by: string,
  ): Promise<readonly Outcome<AnnouncedKind>[]> {
    const commands = announcements.map(({ read: { announced }, event }) => ({
      command: { event, compared_with: announced?.revision ?? -1 },
    }));
    const { clock } = announcements[0]!.read;
    return this.runner.run<AnnouncedKind>(
      {
        aggregate: ANNOUNCED,
        // As they were compared: a newer state would be announced over.
        states: { load: () => Promise.resolve(announcements.map(({ read }) => read.announced)) },
        projector: this.projector,
        damaged: { code: 'history_damaged' },
        streams: announcements.map(({ read }) => read.stream),
        prepare: (open) => ({ clock, commands: open.map(({ index }) => commands[index]!) }),
      },
      {
        command_id: this.ids.ulid(),
        request_id: announced_by,
        actor: { kind: 'system', id: 'announcer' },
        recovering: false,
      },
    );
  }
}
