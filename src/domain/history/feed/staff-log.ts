import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import { logBackwards, type OlderEvents } from './read-backwards.js';
import { StaffEvents } from './staff-events.js';

/** What staff did, backwards. Throws StoreUnavailableError. */
@Injectable()
export class StaffLog {
  constructor(
    @Inject(EVENT_STORE) private readonly log: EventStore,
    private readonly gathered: StaffEvents,
  ) {}

  /** Events that are not gathered yet from the log, older ones by company, and of staff alone. */
  async readBackwards(company_id: string): Promise<OlderEvents> {
    const fromLog = logBackwards(this.log);
    const { position } = await this.gathered.readProgress();
    if (position === null) return fromLog;
    const gathered = BigInt(position);
    return async (before, size) => {
      if (before !== undefined && before <= gathered + 1n)
        return (await this.#listOlder(company_id, before, size, gathered)) ?? fromLog(before, size);
      const { events, next } = await fromLog(before, size);
      const newer = events.filter(({ position }) => position > gathered);
      const isEnd = newer.length < events.length || next === undefined || next <= gathered;
      return { events: newer, next: isEnd ? gathered + 1n : next };
    };
  }

  /** Undefined if the events up to `gathered` were forgotten: some may have been removed before they were read. */
  async #listOlder(company_id: string, before: bigint, limit: number, gathered: bigint) {
    const events = await this.gathered.listBefore(company_id, before, limit);
    const { position } = await this.gathered.readProgress();
    if (position === null || BigInt(position) < gathered) return undefined;
    return { events, next: events.length < limit ? undefined : events.at(-1)!.position };
  }
}
