import { Inject, Injectable } from '@nestjs/common';
import { type AccessChanged, accessStream, type Calendar } from '#domain/access/index.js';
import { AnnouncedProjector } from '#domain/announcements/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import type { LocationDocument } from '#domain/locations/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { inBatches } from '#kernel/in-batches.js';
import { CALENDAR, EVENT_STORE } from '#kernel/injection-tokens.js';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import { NOTICE_KINDS, type NoticeKind } from './core/notice-kind.js';
import { type LastAnnounced, replayChanges, replayOnlyChange } from './core/replay.js';

const PAGE = 500;
/** Changes of one unit that are replayed. */
const MOST_CHANGES = 200;

interface ChangedUnit {
  readonly unit: UnitDocument;
  readonly announced: LastAnnounced;
}

/** Tells what texts would have been sent, from the announced changes of access. */
@Injectable()
export class NoticeReplay {
  constructor(
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly units: UnitDirectory,
    private readonly clocks: CompanyClocks,
    private readonly announced: AnnouncedProjector,
  ) {}

  /**
   * How many tenants would have got each text. A unit whose tenant has left counts as one.
   * @param milliseconds back from now @throws StoreUnavailableError @throws GivenUpError
   */
  async countTenants(
    { _id, company_id, policy: { timezone } }: LocationDocument,
    milliseconds: number,
    deadline?: Deadline,
  ): Promise<Readonly<Record<NoticeKind, number>>> {
    const now = await this.clocks.now(company_id);
    const window = { timezone, from: now - milliseconds, now };
    const tenants = new Map(NOTICE_KINDS.map((kind) => [kind, new Set<string>()]));
    const yielder = new Yielder(deadline);
    for await (const page of this.units.allOfLocation(_id, PAGE, { yielder })) {
      const changed = await this.#changedSince(page, window.from);
      await inBatches(changed, async ({ unit: { unit_id, tenancy, facts }, announced }) => {
        const { move_in_date } = facts;
        const lease_begins_at = move_in_date === null ? null : this.calendar.startOf(move_in_date, timezone);
        const span = { ...window, lease_begins_at };
        const told =
          replayOnlyChange(announced, span, this.calendar) ??
          replayChanges(await this.#changesOf(company_id, unit_id, window.from), span, this.calendar);
        for (const kind of told) tenants.get(kind)!.add(tenancy?.tenant_id ?? unit_id);
      });
    }
    const counts = [...tenants].map(([kind, those]) => [kind, those.size] as const);
    return Object.fromEntries(counts) as Record<NoticeKind, number>;
  }

  async #changedSince(units: readonly UnitDocument[], from: number): Promise<ChangedUnit[]> {
    const streams = units.map(({ company_id, unit_id }) => accessStream(company_id, unit_id));
    const announced = await this.announced.states.load(streams);
    return units.flatMap((unit, index): ChangedUnit | [] => {
      const state = announced[index]?.state;
      if (state === undefined || (state.effective_at ?? 0) < from) return [];
      return { unit, announced: state };
    });
  }

  /** The changes since the instant and the one before, oldest first. */
  async #changesOf(company_id: string, unit_id: string, from: number): Promise<AccessChanged['data'][]> {
    const stream = accessStream(company_id, unit_id);
    const events = await this.log.readStream(stream, { backwards: true, limit: MOST_CHANGES });
    const changes = events.flatMap(({ type, data }) =>
      type === 'AccessChanged' ? [data as unknown as AccessChanged['data']] : [],
    );
    const older = changes.findIndex(({ effective_at }) => effective_at < from);
    return (older === -1 ? changes : changes.slice(0, older + 1)).reverse();
  }
}
