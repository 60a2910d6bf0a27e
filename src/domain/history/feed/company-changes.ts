import { Inject, Injectable } from '@nestjs/common';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import type { Clock } from '#kernel/clock.js';
import { InvalidCursorError } from '#kernel/cursor.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { CLOCK, EVENT_STORE } from '#kernel/injection-tokens.js';
import { isInScope, type OperatorScope } from '#kernel/principals.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { ACTIVITY_EVENT_TYPES, type ActivityReported, happenedAt } from '#domain/locks/index.js';
import { realTimeOf } from '#eventsourcing/log/real-time.js';
import { DeniedOpenings, type DeniedOpening, type Tap } from '../activity/denied-openings.js';
import { byPoint, type HistoryPoint } from '../core/window.js';
import { instantOf, logged } from '../logged.js';
import { pointCursor, pointIn } from '../point-cursor.js';
import { HoursLog } from '../hours/hours-log.js';
import { SettingsLog } from '../settings/settings-log.js';
import { EventFeed, isFed } from './event-feed.js';
import { readBackwards } from './read-backwards.js';
import { StaffKinds } from './staff-kinds.js';
import { StaffLog } from './staff-log.js';

/**
 * The sizes of at most two reads of the log's newest events. The events are of all companies. `atMost` also counts events of
 * other applications in the same store.
 */
const READS = [
  { limit: 500, atMost: 2_000 },
  { limit: 4_500, atMost: 18_000 },
] as const;

/** Each report is judged by what held at its instant, which costs more than to count it. */
const MOST_JUDGED = 500;

/** The latest events of a company, newest first. */
interface RecentEvents {
  readonly events: readonly RecordedEvent[];
  /** Milliseconds. All events from here on were read. It is later than requested if there were too many events. */
  readonly since: number;
}

interface ChangeAtPoint extends HistoryPoint {
  readonly event: RecordedEvent;
}

/** Changes in the order of their points, newest first. */
interface OrderedChanges extends Pick<RecentEvents, 'since'> {
  readonly changes: readonly ChangeAtPoint[];
}

/** An instant by a company's clock, and where events are looked for. */
export interface Since {
  /** Milliseconds. */
  readonly since: number;
  /** Milliseconds by which the company's clock is ahead of the real one. The log is in the order of the real one. */
  readonly ahead: number;
  /** Only events at these locations. Undefined: those of the whole company. */
  readonly locations?: readonly string[] | undefined;
}

/** The part of a list to read: at most `limit` events behind a cursor. */
export interface PartOfChanges {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface RecentRange extends Since {
  /** Only events of this type. */
  readonly type?: string | undefined;
  /** Only what actors of this kind did. */
  readonly actor?: Actor['kind'] | undefined;
  /** Only what this operator did. */
  readonly operator_id?: string | undefined;
  /** Only what happened from this instant (milliseconds) on. */
  readonly from?: number | undefined;
  /** Only what happened before this instant (milliseconds). */
  readonly to?: number | undefined;
}

/** What staff did, without a first instant. */
export interface StaffRange extends Omit<RecentRange, 'actor' | 'since'> {
  /** A page goes on beyond `limit` to the end of what one request changed. */
  readonly wholeRequests?: boolean | undefined;
  /** When the company began (milliseconds, by its clock): nothing happened before. */
  readonly begun: number;
  /**
   * Who reads. Events of companies as a whole are told to those who see this company as a whole, so to none of sites, without
   * the other companies that they do not see. What concerns all companies is told to those who see all.
   */
  readonly reader: Pick<OperatorScope, 'companies'>;
}

/**
 * Finds the events of a company since an instant. It reads a bounded number of events, so it may not reach back so far.
 * Throws StoreUnavailableError.
 */
@Injectable()
export class CompanyChanges {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly feed: EventFeed,
    private readonly openings: DeniedOpenings,
    private readonly hours: HoursLog,
    private readonly settings: SettingsLog,
    private readonly staff: StaffLog,
    private readonly kinds: StaffKinds,
  ) {}

  /**
   * Counts the events by type, the most frequent type first. Lists openings by tenants who were denied, newest first, among the
   * newest 500 reports.
   * @param deadline of the caller @throws GivenUpError when it is over
   */
  async count(company_id: string, since: Since, deadline?: Deadline) {
    const recent = await this.#recent(company_id, since);
    const counts = new Map<string, number>();
    for (const { type } of recent.events) counts.set(type, (counts.get(type) ?? 0) + 1);
    return {
      since: recent.since,
      counts: [...counts].sort(([, one], [, other]) => other - one),
      denied_openings: await this.#denied(recent.events, deadline),
    };
  }

  /** The events since an instant, newest first. Their first page reads the log for all of them. */
  open(company_id: string, asked: RecentRange) {
    const { type, actor, operator_id } = asked;
    const list = ['changes', company_id, type, actor, operator_id, asked.from, asked.to];
    let reading: Promise<OrderedChanges> | undefined;
    return {
      /** @throws InvalidCursorError before the log is read */
      page: async ({ limit, cursor }: PartOfChanges) => {
        const after = cursor === undefined ? undefined : pointIn(cursor, list);
        reading ??= this.#readOrdered(company_id, asked);
        const { since, changes } = await reading;
        const start = after === undefined ? 0 : firstBehind(changes, after);
        const shown = changes.slice(start, start + limit);
        const events = shown.map(({ event }) => event);
        return {
          events: await this.#present(company_id, events),
          next_cursor: changes.length > start + limit ? pointCursor(shown.at(-1)!, list) : null,
          since: toTimestamp(since),
        };
      },
    };
  }

  /** What staff did, newest first, as far back as the log reaches. Each page reads its own part of the log. */
  openStaff(company_id: string, range: StaffRange) {
    return {
      /**
       * A page may be short or empty although more follows. `since` is the instant to which this page has looked.
       * @throws InvalidCursorError
       */
      page: (part: PartOfChanges) => this.#pageOfStaff(company_id, range, part),
    };
  }

  async #pageOfStaff(
    company_id: string,
    { wholeRequests = false, begun, reader, ...asked }: StaffRange,
    { limit, cursor }: PartOfChanges,
  ) {
    const { type, operator_id, from = -Infinity, to = Infinity, ahead, locations } = asked;
    const list = ['staff', company_id, type, operator_id, asked.from, asked.to];
    const readOwnership = this.feed.ownershipReader(company_id);
    const isToldTo = this.#toldReader(company_id, reader, begun);
    const isAsked = (event: RecordedEvent) =>
      (isFed(event, undefined) || this.kinds.isTold(event)) &&
      isWanted(event, { type, actor: 'operator', operator_id }) &&
      instantOf(event) >= from &&
      instantOf(event) < to;
    const select = async (events: readonly RecordedEvent[]) => {
      const own: RecordedEvent[] = [];
      for (const event of events.filter(isAsked)) {
        const isOwn = this.kinds.isTold(event)
          ? await isToldTo(event)
          : (await readOwnership(event)) === 'own';
        if (isOwn) own.push(this.kinds.narrowedTo(event, (one) => isInScope(reader, one)));
      }
      return locations === undefined ? own : this.feed.selectAt(new Set(locations), own);
    };
    const { events, oldest, before } = await readBackwards(await this.staff.readBackwards(company_id), {
      before: cursor === undefined ? undefined : await this.#positionIn(cursor, list),
      limit,
      entries: wholeRequests ? { keyOf: requestOf, instantOf: realTimeOf } : undefined,
      isOver: (event) => realTimeOf(event) < from - ahead,
      select,
    }).catch((error: unknown) => {
      throw error instanceof PositionLostError ? new InvalidCursorError() : error;
    });
    const reached = oldest === undefined ? this.clock.now() : realTimeOf(oldest);
    return {
      events: await this.#present(company_id, events),
      next_cursor: before === undefined ? null : pointCursor({ instant: reached, position: before }, list),
      since: toTimestamp(before === undefined ? (asked.from ?? begun) : reached + ahead),
    };
  }

  /** Returns a function that says whether an event concerns the company as a whole, and is told to this reader. */
  #toldReader(company_id: string, reader: StaffRange['reader'], begun: number) {
    const readCompanies = this.kinds.companiesReader();
    return async (event: RecordedEvent): Promise<boolean> => {
      const companies = await readCompanies(event);
      if (companies === null) return reader.companies === null && realTimeOf(event) >= begun;
      return companies.includes(company_id) && isInScope(reader, company_id);
    };
  }

  /** A client can forge a cursor: the store takes no position outside of the log. @throws InvalidCursorError */
  async #positionIn(cursor: string, list: readonly unknown[]): Promise<bigint> {
    const { position } = pointIn(cursor, list);
    const head = await this.events.head();
    if (position < 1n || head === undefined || position > head) throw new InvalidCursorError();
    return position;
  }

  async #present(company_id: string, shown: readonly RecordedEvent[]) {
    const [events, openings, replacedHours, replacedSettings] = await Promise.all([
      this.feed.presentToOperators(company_id, shown),
      this.#denied(shown),
      this.hours.findHoursBefore(shown),
      this.settings.findReplaced(shown),
    ]);
    const denied = new Map(openings.map(({ log_id, denied_units }) => [log_id as unknown, { denied_units }]));
    return events.map((event) => ({
      ...event,
      ...denied.get(event.data['log_id']),
      ...(replacedHours.get(event.id) ?? replacedSettings.get(event.id)),
    }));
  }

  async #denied(events: readonly RecordedEvent[], deadline?: Deadline): Promise<DeniedOpening[]> {
    const taps = events
      .filter(isTap)
      .slice(0, MOST_JUDGED)
      .map((event): Tap => reported(event).data);
    const denied = await this.openings.among(taps, deadline);
    const openings = taps.flatMap((tap) => {
      const denied_units = denied.get(tap.log_id);
      return denied_units === undefined ? [] : { ...tap, denied_units };
    });
    return openings.toSorted((one, other) => happenedAt(other) - happenedAt(one));
  }

  async #readOrdered(company_id: string, asked: RecentRange): Promise<OrderedChanges> {
    const { from = -Infinity, to = Infinity } = asked;
    const { since, events } = await this.#recent(company_id, asked);
    const changes = events
      .filter((event) => isWanted(event, asked))
      .map(atPoint)
      .filter(({ instant }) => instant >= from && instant < to)
      .toSorted((one, other) => byPoint(other, one));
    return { since, changes };
  }

  async #recent(company_id: string, range: Since): Promise<RecentEvents> {
    const { since, ahead } = range;
    const read: RecordedEvent[] = [];
    // The instant to which the reads have reached back. Events of other applications do not show it.
    let reached = this.clock.now();
    let position: bigint | undefined;
    for (const { limit, atMost } of READS) {
      let end = position ?? 0n;
      const scan = { atMost, upTo: (scanned: bigint) => void (end = scanned) };
      const before = position === undefined ? {} : { before: position };
      read.push(...(await this.events.readAll({ backwards: true, limit, scan, ...before })));
      const oldest = read.at(-1);
      if (oldest !== undefined) reached = realTimeOf(oldest);
      if (end === 0n || reached < since - ahead) return this.#own(company_id, read, range);
      position = end;
    }
    return this.#own(company_id, read, { ...range, since: Math.max(since, reached + ahead) });
  }

  async #own(
    company_id: string,
    read: readonly RecordedEvent[],
    { since, locations }: Since,
  ): Promise<RecentEvents> {
    const readOwnership = this.feed.ownershipReader(company_id);
    const events: RecordedEvent[] = [];
    const yielder = new Yielder();
    for (const event of read) {
      if (isFed(event, undefined) && instantOf(event) >= since && (await readOwnership(event)) === 'own')
        events.push(event);
      const pause = yielder.after(1);
      if (pause !== undefined) await pause;
    }
    if (locations === undefined) return { events, since };
    return { events: await this.feed.selectAt(new Set(locations), events), since };
  }
}

/** What one request of one actor changed is an entry of the list. */
function requestOf({ metadata }: RecordedEvent): string {
  const { kind, id } = metadata['actor'] as unknown as Actor;
  return JSON.stringify([kind, id, metadata['request_id']]);
}

type Wanted = Pick<RecentRange, 'type' | 'actor' | 'operator_id'>;

function isWanted(event: RecordedEvent, { type, actor, operator_id }: Wanted): boolean {
  const by = event.metadata['actor'] as unknown as Actor;
  if (type !== undefined && event.type !== type) return false;
  if (actor !== undefined && by.kind !== actor) return false;
  return operator_id === undefined || (by.kind === 'operator' && by.id === operator_id);
}

function isTap({ type }: RecordedEvent): boolean {
  return Object.hasOwn(ACTIVITY_EVENT_TYPES, type);
}

function reported(event: RecordedEvent): ActivityReported {
  return logged<ActivityReported>(ACTIVITY_EVENT_TYPES, event);
}

/** The index of the first change behind a point, in a list that is the newest first. */
function firstBehind(changes: readonly ChangeAtPoint[], point: HistoryPoint): number {
  const index = changes.findIndex((one) => byPoint(one, point) < 0);
  return index === -1 ? changes.length : index;
}

/** A tap counts when it happened: a phone that was offline reports it late. */
function atPoint(event: RecordedEvent): ChangeAtPoint {
  const instant = isTap(event) ? happenedAt(reported(event).data) : instantOf(event);
  return { event, instant, position: event.position };
}
