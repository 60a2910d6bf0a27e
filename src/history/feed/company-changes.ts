import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '../../base/cursor.js';
import { Yielder } from '../../config/yielder.js';
import type { Clock } from '../../config/clock.js';
import { CLOCK, EVENT_STORE } from '../../config/injection-tokens.js';
import type { EventStore, RecordedEvent } from '../../log/event-store.js';
import { REFUSAL_CODES } from '../../locks/index.js';
import { realTimeOf } from '../../log/real-time.js';
import { instantOf } from '../logged.js';
import { EventFeed, isFed } from './event-feed.js';

/**
 * How many of the log's newest events are read, of whatever company, and looked at, of whoever uses the log: few first, as few
 * are wanted as a rule, then those before them.
 */
const LOOKS = [
  { limit: 500, atMost: 2_000 },
  { limit: 4_500, atMost: 18_000 },
] as const;

/** The latest changes of a company, newest first. */
interface RecentEvents {
  readonly events: readonly RecordedEvent[];
  /** Milliseconds: how far back was looked. Later than asked for where too much has happened in between. */
  readonly since: number;
}

/** An instant by a company's clock. */
export interface Since {
  /** Milliseconds. */
  readonly since: number;
  /** How far that clock is ahead of the world's, in whose order the log is; milliseconds. */
  readonly ahead: number;
}

export interface RecentRange extends Since {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Only of this type. */
  readonly type?: string | undefined;
  /** Only reports that something failed. */
  readonly failed?: boolean | undefined;
}

/**
 * Events of a company since an instant, as far as the newest events of the log reach back. The work is bounded.
 * Throws StoreUnavailableError.
 */
@Injectable()
export class CompanyChanges {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly feed: EventFeed,
  ) {}

  /** How many events of which type there were, the commonest first, and how many reports of locks and gates that failed. */
  async count(company_id: string, since: Since) {
    const recent = await this.#recent(company_id, since);
    const counts = new Map<string, number>();
    for (const { type } of recent.events) counts.set(type, (counts.get(type) ?? 0) + 1);
    return {
      since: recent.since,
      counts: [...counts].sort(([, one], [, other]) => other - one),
      failed_reports: recent.events.filter(hasFailed).length,
    };
  }

  /** A page of them, newest first. @throws InvalidCursorError */
  async page(company_id: string, { limit, cursor, type, failed, ...since }: RecentRange) {
    const list = ['changes', company_id, type, failed];
    const before = cursor === undefined ? undefined : positionIn(decodeCursor(cursor, list));
    const recent = await this.#recent(company_id, since);
    const wanted = recent.events.filter(
      (event) =>
        (before === undefined || event.position < before) &&
        event.type === (type ?? event.type) &&
        (failed !== true || hasFailed(event)),
    );
    const shown = wanted.slice(0, limit);
    return {
      since: recent.since,
      events: await this.feed.toldToOperators(company_id, shown),
      next_cursor: wanted.length > limit ? encodeCursor(String(shown.at(-1)!.position), list) : null,
    };
  }

  async #recent(company_id: string, { since, ahead }: Since): Promise<RecentEvents> {
    const read: RecordedEvent[] = [];
    // Events of others tell no time: where nothing else was seen, nothing is known of what was before now.
    let reached = this.clock.now();
    let place: bigint | undefined;
    for (const { limit, atMost } of LOOKS) {
      let end = place ?? 0n;
      const scan = { atMost, upTo: (position: bigint) => void (end = position) };
      const before = place === undefined ? {} : { before: place };
      read.push(...(await this.events.readAll({ backwards: true, limit, scan, ...before })));
      const oldest = read.at(-1);
      if (oldest !== undefined) reached = realTimeOf(oldest);
      if (end === 0n || reached < since - ahead) return this.#own(company_id, read, since);
      place = end;
    }
    return this.#own(company_id, read, Math.max(since, reached + ahead));
  }

  async #own(company_id: string, read: readonly RecordedEvent[], since: number): Promise<RecentEvents> {
    const isOwn = this.feed.ownerOf(company_id);
    const events: RecordedEvent[] = [];
    const yielder = new Yielder();
    for (const event of read) {
      if (isFed(event, undefined) && instantOf(event) >= since && (await isOwn(event)) === true)
        events.push(event);
      const pause = yielder.after(1);
      if (pause !== undefined) await pause;
    }
    return { events, since };
  }
}

/** Whether it is a report of a lock, gate or door that failed. One that refused rightly works. */
function hasFailed({ data }: RecordedEvent): boolean {
  return data['result'] === 'failure' && !REFUSAL_CODES.includes(data['failure_code'] as string);
}

function positionIn(place: unknown): bigint {
  if (typeof place !== 'string' || !/^\d{1,19}$/.test(place)) throw new InvalidCursorError();
  return BigInt(place);
}
