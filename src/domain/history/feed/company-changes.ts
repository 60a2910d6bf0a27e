import { Inject, Injectable } from '@nestjs/common';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, EVENT_STORE } from '#kernel/injection-tokens.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { ACTIVITY_EVENT_TYPES, type ActivityReported, happenedAt } from '#domain/locks/index.js';
import { realTimeOf } from '#eventsourcing/log/real-time.js';
import { DeniedOpenings, type DeniedOpening, type Tap } from '../activity/denied-openings.js';
import { byPoint } from '../core/window.js';
import { instantOf, logged } from '../logged.js';
import { pointCursor, pointIn } from '../point-cursor.js';
import { HoursLog } from '../hours/hours-log.js';
import { EventFeed, isFed } from './event-feed.js';

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

/** An instant by a company's clock, and where events are looked for. */
export interface Since {
  /** Milliseconds. */
  readonly since: number;
  /** Milliseconds by which the company's clock is ahead of the real one. The log is in the order of the real one. */
  readonly ahead: number;
  /** Only events at these locations. Undefined: those of the whole company. */
  readonly locations?: readonly string[] | undefined;
}

export interface RecentRange extends Since {
  readonly limit: number;
  readonly cursor?: string | undefined;
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

  /** A page of events, newest first. @throws InvalidCursorError */
  async page(company_id: string, { limit, cursor, ...asked }: RecentRange) {
    const { type, actor, operator_id, from = -Infinity, to = Infinity, ...since } = asked;
    const list = ['changes', company_id, type, actor, operator_id, asked.from, asked.to];
    const after = cursor === undefined ? undefined : pointIn(cursor, list);
    const recent = await this.#recent(company_id, since);
    const wanted = recent.events.filter((event) => isWanted(event, { type, actor, operator_id }));
    const ordered = wanted
      .map(atPoint)
      .filter(({ instant }) => instant >= from && instant < to)
      .toSorted((one, other) => byPoint(other, one));
    const rest = ordered.filter((one) => after === undefined || byPoint(one, after) < 0);
    const shown = rest.slice(0, limit).map(({ event }) => event);
    const [events, openings, hoursBefore] = await Promise.all([
      this.feed.presentToOperators(company_id, shown),
      this.#denied(shown),
      this.hours.findHoursBefore(shown),
    ]);
    const denied = new Map(openings.map(({ log_id, denied_units }) => [log_id as unknown, { denied_units }]));
    return {
      since: recent.since,
      events: events.map((event) => ({
        ...event,
        ...denied.get(event.data['log_id']),
        ...hoursBefore.get(event.id),
      })),
      next_cursor: rest.length > limit ? pointCursor(rest[limit - 1]!, list) : null,
    };
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
    const isOwn = this.feed.ownerOf(company_id);
    const events: RecordedEvent[] = [];
    const yielder = new Yielder();
    for (const event of read) {
      if (isFed(event, undefined) && instantOf(event) >= since && (await isOwn(event)) === true)
        events.push(event);
      const pause = yielder.after(1);
      if (pause !== undefined) await pause;
    }
    if (locations === undefined) return { events, since };
    return { events: await this.feed.selectAt(new Set(locations), events), since };
  }
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

/** A tap counts when it happened: a phone that was offline reports it late. */
function atPoint(event: RecordedEvent) {
  const instant = isTap(event) ? happenedAt(reported(event).data) : instantOf(event);
  return { event, instant, position: event.position };
}
