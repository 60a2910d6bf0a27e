import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import {
  type DeniedOpening,
  DeniedOpenings,
  type GateTap,
  GateTaps,
  visitsOf,
} from '#domain/history/index.js';
import type { LocationDocument } from '#domain/locations/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import type { Deadline } from '#kernel/yielder.js';
import { type TapKind, tapKind } from '../activity/activity-text.js';
import { ThingNames } from '../names/thing-names.js';

/** Taps of one tenant that follow each other: whoever passes a gate and a lobby comes once. */
export interface Visit {
  readonly tenant_id: string;
  readonly tenant: string;
  readonly kind: TapKind;
  /** Of an opening while denied. */
  readonly denied_units: DeniedOpening['denied_units'];
  readonly location_id: string;
  /** The gates in the order in which they were passed, each once. */
  readonly gates: readonly { readonly entry_point_id: string; readonly name: string }[];
  /** The newest tap, in milliseconds. */
  readonly at: number;
}

/** Taps of an hour of the day. */
export interface HourOfTaps {
  readonly opened: number;
  /** Denied or failed. */
  readonly others: number;
}

export interface GatesToday {
  /** By hour, from midnight. */
  readonly hours: readonly HourOfTaps[];
  /** By id of the gate. Gates without a tap are absent. */
  readonly byGate: ReadonlyMap<string, HourOfTaps & { readonly last: GateTap }>;
  /** The newest. */
  readonly visits: readonly Visit[];
}

const HOURS = 24;

/** Reads what happened at gates since the midnight of each site. */
@Injectable()
export class GatesTodayReader {
  constructor(
    private readonly taps: GateTaps,
    private readonly openings: DeniedOpenings,
    private readonly names: ThingNames,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * @param now by the company's clock, in milliseconds
   * @param mostVisits that are described
   * @throws StoreUnavailableError, GivenUpError
   */
  async read(
    locations: readonly LocationDocument[],
    now: number,
    mostVisits: number,
    deadline?: Deadline,
  ): Promise<GatesToday> {
    const hours = Array.from({ length: HOURS }, () => ({ opened: 0, others: 0 }));
    const byGate = new Map<string, { opened: number; others: number; readonly last: GateTap }>();
    const all: GateTap[] = [];
    for (const { _id, policy, entry_points } of locations) {
      const midnight = this.calendar.startOf(this.calendar.dateAt(now, policy.timezone), policy.timezone);
      for (const tap of await this.taps.listSince(_id, entry_points, midnight, deadline)) {
        const count = tapKind(tap) === 'opened' ? 'opened' : 'others';
        // The hour that a change of the clocks adds counts as the last one.
        hours[Math.min(Math.floor((tap.at - midnight) / 3_600_000), HOURS - 1)]![count] += 1;
        const gate = byGate.get(tap.entry_point_id) ?? { opened: 0, others: 0, last: tap };
        gate[count] += 1;
        byGate.set(tap.entry_point_id, gate);
        all.push(tap);
      }
    }
    all.sort((one, other) => other.at - one.at);
    return { hours, byGate, visits: await this.#describe(all, locations, mostVisits, deadline) };
  }

  async #describe(
    taps: readonly GateTap[],
    locations: readonly LocationDocument[],
    most: number,
    deadline?: Deadline,
  ): Promise<Visit[]> {
    const visits = visitsOf(taps, tapKind).slice(0, most);
    const [denied, tenants] = await Promise.all([
      this.openings.among(visits.flat(), deadline),
      this.names.findTenants(visits.map(([tap]) => tap!.tenant_id)),
    ]);
    const gates = new Map(
      locations.flatMap(({ entry_points }) =>
        entry_points.map(({ entry_point_id, name }) => [entry_point_id, { entry_point_id, name }] as const),
      ),
    );
    return visits.map((visit) => {
      const [newest] = visit as [GateTap];
      const units = visit.map(({ log_id }) => denied.get(log_id)).find((found) => found !== undefined);
      const passed = [...new Set(visit.map(({ entry_point_id }) => entry_point_id).reverse())];
      return {
        tenant_id: newest.tenant_id,
        tenant: tenants.get(newest.tenant_id) ?? 'Unknown',
        kind: units === undefined ? tapKind(newest) : 'alarm',
        denied_units: units ?? [],
        location_id: newest.location_id,
        gates: passed.flatMap((id) => gates.get(id) ?? []),
        at: newest.at,
      };
    });
  }
}
