import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import {
  type EntryPointState,
  hoursAt,
  type LocationDocument,
  LocationDirectory,
} from '#domain/locations/index.js';
import { type ActivityReported, happenedAt } from '#domain/locks/index.js';
import { PassDirectory } from '#domain/passes/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { HoursLog, type HoursPeriod } from '../hours/hours-log.js';

type GateReport = Extract<ActivityReported, { readonly type: 'EntryPointActivityReported' }>;

/** Finds the reports of entry points that happened outside of their hours, within the time to leave too. */
@Injectable()
export class HoursOfReports {
  constructor(
    private readonly log: HoursLog,
    private readonly locations: LocationDirectory,
    private readonly passes: PassDirectory,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * The `log_id` of each such report, by the hours of its instant. Left out: those by passes with hours of their own.
   * @throws StoreUnavailableError
   */
  async outside(reports: readonly ActivityReported[]): Promise<ReadonlySet<string>> {
    const atGates = await this.#keepingHours(
      reports.filter((one): one is GateReport => one.type === 'EntryPointActivityReported'),
    );
    const ids = [...new Set(atGates.map(({ data }) => data.location_id))];
    const found = new Set<string>();
    for (const location of await this.locations.locations(ids)) {
      if (location === undefined || location.hours_set_at.length === 0) continue;
      const here = atGates.map(({ data }) => data).filter(({ location_id }) => location_id === location._id);
      const tapped = [...new Set(here.map(({ entry_point_id }) => entry_point_id))];
      const gates = await this.locations.entryPointsEver(location, tapped);
      const read = await Promise.all(
        location.hours_set_at.map((revision) => this.log.readPeriod(location._id, revision)),
      );
      const periods = read.flatMap((one) => one ?? []);
      const own = await this.#ownPeriods(
        location,
        tapped.flatMap((id) => gates.get(id) ?? []),
      );
      for (const data of here) {
        const kept = own.get(data.entry_point_id)?.findLast(({ from }) => from <= happenedAt(data));
        if (kept?.hours !== 'always' && this.#isOutside(location, periods, data)) found.add(data.log_id);
      }
    }
    return found;
  }

  async #keepingHours(reports: readonly GateReport[]): Promise<GateReport[]> {
    const ids = [...new Set(reports.flatMap(({ data }) => data.pass_id ?? []))];
    const passes = await this.passes.passes(ids);
    const withHours = new Set(passes.flatMap((pass) => (pass?.hours == null ? [] : [pass.pass_id])));
    return reports.filter(({ data }) => !withHours.has(data.pass_id ?? ''));
  }

  /** Whether each entry point kept the hours of its location, and from when on. */
  async #ownPeriods({ _id }: LocationDocument, gates: readonly EntryPointState[]) {
    const read = async ({ entry_point_id, hours_set_at }: EntryPointState) => {
      const periods = hours_set_at.map((revision) => this.log.readGatePeriod(_id, revision));
      return [entry_point_id, (await Promise.all(periods)).flatMap((one) => one ?? [])] as const;
    };
    return new Map(await Promise.all(gates.map(read)));
  }

  #isOutside(location: LocationDocument, periods: readonly HoursPeriod[], data: GateReport['data']): boolean {
    const at = happenedAt(data);
    const hours = periods.findLast(({ from }) => from <= at)?.hours ?? null;
    if (hours === null) return false;
    const { timezone } = location.policy;
    return hoursAt({ hours, timezone, clock: this.calendar }, at).state === 'closed';
  }
}
