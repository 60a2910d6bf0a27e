import { Inject, Injectable } from '@nestjs/common';
import type { Calendar, DescribedUnit, UnitEntryPoint } from '#domain/access/index.js';
import { inBatches } from '#kernel/in-batches.js';
import { runYielding } from '#kernel/yielder.js';
import { CompanyClocks, CompanyDirectory } from '#domain/companies/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { DamagedStreams, type StreamDamage } from '#eventsourcing/log/damaged-streams.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { type UnitDocument, type UnitEvent } from '#domain/units/index.js';
import { ActorNames } from './actor-names.js';
import { unitAsOf, windowAt } from './core/as-of.js';
import { entryPointsAsOf, entryPointsAsShown } from './core/entry-points-as-of.js';
import type { PassEntry } from './core/pass-entries.js';
import { cutPage } from './core/cut-page.js';
import { timelineOf, type TimelineEntry } from './core/timeline.js';
import type { DetailsEvent, Logged } from './core/unit-record.js';
import { byPoint, earlier, type Window } from './core/window.js';
import {
  describedThen,
  type HistoryEntry,
  presentAsOf,
  presentEntry,
  type UnitAtInstant,
} from './history.presenter.js';
import { cursorList, type HistoryRange, windowOf } from './history-range.js';
import { PassLog } from './pass-log.js';
import { pointCursor } from './point-cursor.js';
import { UnitPeopleAsOf } from './unit-people-as-of.js';
import { type UnitBeginning, UnitRecordReader } from './unit-record.reader.js';

export interface HistoryPage {
  readonly entries: HistoryEntry[];
  /** Null if no entry follows yet. */
  readonly next_cursor: string | null;
  /** Where the history ends, because somebody damaged the unit's events. Null if it is sound. */
  readonly damage: Omit<StreamDamage, 'stream'> | null;
}

/** A window, and the unit's own events up to the last one in it. */
interface OwnInWindow {
  readonly own: UnitBeginning;
  readonly window: Window;
}

/** Computes the history of a unit, and its state at any instant, from the log. */
@Injectable()
export class UnitHistory {
  constructor(
    private readonly clocks: CompanyClocks,
    private readonly companies: CompanyDirectory,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly reader: UnitRecordReader,
    private readonly names: ActorNames,
    private readonly damaged: DamagedStreams,
    private readonly people: UnitPeopleAsOf,
    private readonly passes: PassLog,
  ) {}

  /**
   * A page of the unit's history. Its cursor stays valid when entries are added.
   * @throws InvalidCursorError, StoreUnavailableError
   */
  async page(unit: UnitDocument, range: HistoryRange): Promise<HistoryPage> {
    const { limit, order } = range;
    const list = cursorList(unit.unit_id, range);
    const wanted = windowOf(list, range);
    const isNewestFirst = order === 'desc';
    const [{ own, window }, location, company] = await Promise.all([
      isNewestFirst ? this.#lastIn(unit, wanted, limit) : this.#firstIn(unit, wanted, limit),
      this.reader.details(unit.location_id),
      this.companies.company(unit.company_id),
    ]);
    const now = await this.clocks.now(unit.company_id);
    const thing = { kind: 'unit', unit_id: unit.unit_id } as const;
    const passes = await this.passes.entriesIn(thing, { window, limit, isNewestFirst, now });
    const record = await this.reader.around(unit, own, location, passes.window);
    const timeline = await runYielding(timelineOf(record, now, this.calendar, passes.window));
    const { page, next } = cutPage([...timeline, ...passes.entries], passes, { limit, isNewestFirst });
    const nameOf = await this.names.findNames(actorsOf(page), company);
    return {
      entries: page.map((entry) => presentEntry(entry, nameOf)),
      next_cursor: next === undefined ? null : pointCursor(next, list),
      damage: this.#damageOf(unit),
    };
  }

  #damageOf({ _id: stream }: UnitDocument): HistoryPage['damage'] {
    const damage = this.damaged.findDamage(stream);
    return damage === undefined ? null : { revision: damage.revision, cause: damage.cause };
  }

  /**
   * The unit exactly as a read at an instant (milliseconds) would have answered, with the policy of that instant. Undefined
   * before the unit existed and while it was retired, which integrators do not see. For the future it is the state if nothing is written until then.
   * @throws StoreUnavailableError
   */
  async asOf(unit: UnitDocument, at: number): Promise<UnitAtInstant | undefined> {
    const then = await this.described(unit, at);
    if (then === undefined || then.unit.retired) return undefined;
    return presentAsOf(then, await this.entryPointsAt(then, at), at);
  }

  /** The same for operators, who see retired units, and who could open the unit then. @throws StoreUnavailableError */
  async asOfWithPeople(unit: UnitDocument, at: number) {
    const then = await this.described(unit, at);
    if (then === undefined) return undefined;
    const [entryPoints, people] = await Promise.all([
      this.entryPointsAt(then, at),
      this.people.readPeople(then.unit, at),
    ]);
    return { ...presentAsOf(then, entryPoints, at), ...people };
  }

  /** The entry points of a unit at an instant, as this unit alone opened them. @throws StoreUnavailableError */
  async entryPointsAt({ unit, decision }: DescribedUnit, at: number): Promise<UnitEntryPoint[]> {
    const location = await this.reader.wholeLocation(unit.location_id);
    if (location.length > 0) return entryPointsAsOf(location, unit, decision, at, this.calendar);
    const shown = await this.reader.shownLocation(unit);
    return shown === undefined ? [] : entryPointsAsShown(shown, unit, decision, at, this.calendar);
  }

  /** The unit and its decision at an instant, also while it was retired. @throws StoreUnavailableError */
  async described(unit: UnitDocument, at: number): Promise<DescribedUnit | undefined> {
    const [own, location] = await Promise.all([
      this.reader.own(unit, isPast(windowAt(at))),
      this.reader.details(unit.location_id),
    ]);
    return this.#describedBy(unit, { own, location }, at);
  }

  /** The same of units of one location, whose events are read once. @throws StoreUnavailableError */
  async describedAt(
    location_id: string,
    units: readonly UnitDocument[],
    at: number,
  ): Promise<(DescribedUnit | undefined)[]> {
    const location = await this.reader.details(location_id);
    return inBatches(units, async (unit) => {
      const own = await this.reader.own(unit, isPast(windowAt(at)));
      return this.#describedBy(unit, { own, location }, at);
    });
  }

  async #describedBy(
    unit: UnitDocument,
    { own, location }: { readonly own: UnitBeginning; readonly location: readonly Logged<DetailsEvent>[] },
    at: number,
  ): Promise<DescribedUnit | undefined> {
    const record = await this.reader.around(unit, own, location, windowAt(at));
    const found = await runYielding(unitAsOf(record, at, this.calendar));
    if (found === undefined) return undefined;
    return describedThen(found, at, await this.reader.lastAccessed(unit.unit_id, at));
  }

  /** Narrows the window at its end. It still holds more entries than the limit, because each own event is an entry. */
  async #firstIn(unit: UnitDocument, { after, before }: Window, limit: number): Promise<OwnInWindow> {
    const isFull = (events: readonly Logged<UnitEvent>[]) =>
      events.filter((event) => byPoint(after, event) < 0).length > limit;
    const enough = (events: readonly Logged<UnitEvent>[]) => isFull(events) || isPast({ before })(events);
    const { events, states } = await this.reader.own(unit, enough, limit + 1);
    const first = events.findIndex((event) => byPoint(after, event) < 0);
    const last = first === -1 ? undefined : events[first + limit];
    if (last === undefined) return { own: { events, states }, window: { after, before } };
    const own = { events: events.slice(0, first + limit + 1), states };
    const read = { instant: last.instant, position: last.position + 1n };
    return { own, window: { after, before: earlier(read, before) } };
  }

  /** Narrows the window at its beginning. It still holds more entries than the limit. */
  async #lastIn(unit: UnitDocument, { after, before }: Window, limit: number): Promise<OwnInWindow> {
    const own = await this.reader.own(unit, isPast({ before }));
    const within = own.events.filter((event) => byPoint(after, event) < 0 && byPoint(event, before) < 0);
    const last = within.at(-limit - 2);
    return { own, window: { after: last ?? after, before } };
  }
}

function actorsOf(entries: readonly (TimelineEntry | PassEntry)[]): Actor[] {
  return entries.flatMap((entry) => (entry.kind === 'computed' ? [] : (entry.event?.metadata.actor ?? [])));
}

function isPast({ before }: Pick<Window, 'before'>) {
  return (events: readonly Logged<UnitEvent>[]): boolean => {
    const last = events.at(-1);
    return last !== undefined && byPoint(before, last) <= 0;
  };
}
