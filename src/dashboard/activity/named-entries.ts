import { Injectable } from '@nestjs/common';
import { AccessAtTaps, type AccessThen, type ActivityEntry, LatestTaps } from '#domain/history/index.js';
import { UnitHistoryReads } from '#api/history/index.js';
import { KeyIssues } from '#domain/locks/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { Deadline } from '#kernel/yielder.js';
import { tapKind, type UnitThen } from './activity-text.js';
import { type NamesById, ThingNames } from '../names/thing-names.js';
import { reportedInstant } from '../parts/happened.js';
import type { ListRange } from '../parts/list-page.js';

type HistoryRange = Parameters<UnitHistoryReads['listForOperator']>[1];

/** A report. `had_key`: a tenant who was denied opened it with a key from before. */
export type UnitReport = ActivityEntry & { readonly had_key?: boolean };

/** A report with the access that the unit had when it happened. Absent: that is not known. */
export type JudgedReport = UnitReport & { readonly access_then?: AccessThen };

/** Most units of which a page says how they were when a tap was refused. */
const MOST_UNITS_THEN = 20;

/** Tells which units a tap may have had its right from, if its tenant had them then. */
interface UnitsOfTaps<Report> {
  readonly unitIdsOf: (report: Report) => readonly string[];
  readonly currency: string;
}

/** The records of a unit, page by page, with the names for their ids. Every method throws StoreUnavailableError. */
@Injectable()
export class NamedEntries {
  constructor(
    private readonly histories: UnitHistoryReads,
    private readonly taps: LatestTaps,
    private readonly directory: UnitDirectory,
    private readonly names: ThingNames,
    private readonly keys: KeyIssues,
    private readonly access: AccessAtTaps,
  ) {}

  /** With the names of tenants and locations. @throws ApiError 404 */
  async listHistory(unit_id: string, range: HistoryRange) {
    const page = await this.histories.listForOperator(unit_id, range);
    return { ...page, names: await this.names.findInHistory(page.entries) };
  }

  /** Taps at the locks and gates of an existing unit, the newest first. @throws InvalidCursorError */
  async listReports(unit_id: string, range: ListRange) {
    return this.taps.listOfUnit(await this.#unit(unit_id), range);
  }

  /** As {@link listReports}, with the access of then and the names of the tenants. @throws InvalidCursorError, GivenUpError */
  async listJudged(unit_id: string, range: ListRange, deadline?: Deadline) {
    const unit = await this.#unit(unit_id);
    const page = await this.taps.listOfUnit(unit, range);
    const [judged, names] = await Promise.all([
      this.withAccess(unit, page.entries, deadline),
      this.findReporters(page.entries),
    ]);
    return { ...page, entries: await this.withHadKey(judged), names };
  }

  /** All of them, in the order in which they were reported, with the access of then. @throws InvalidCursorError */
  async listAsReported(unit_id: string, range: ListRange) {
    const unit = await this.#unit(unit_id);
    const page = await this.taps.listOfUnitAsReported(unit, range);
    return { ...page, entries: await this.withAccess(unit, page.entries) };
  }

  /** @throws GivenUpError */
  async withAccess<Report extends ActivityEntry>(
    unit: UnitDocument,
    reports: readonly Report[],
    deadline?: Deadline,
  ): Promise<(Report & JudgedReport)[]> {
    const [then] = await this.access.read([{ unit, instants: reports.map(reportedInstant) }], deadline);
    return reports.map((one, index) => {
      const access_then = then![index];
      return access_then === undefined ? one : { ...one, access_then };
    });
  }

  /**
   * Adds to each tap that was refused how its units were then: by then the tenant may have paid. A pass depends on no unit.
   * @throws GivenUpError
   */
  async withUnitsThen<Report extends ActivityEntry>(
    reports: readonly Report[],
    { unitIdsOf, currency }: UnitsOfTaps<Report>,
    deadline?: Deadline,
  ): Promise<(Report & { readonly units_then?: readonly UnitThen[] })[]> {
    const refused = reports.filter((one) => tapKind(one) === 'refused' && one.pass_id === undefined);
    const unit_ids = [...new Set(refused.flatMap(unitIdsOf))].slice(0, MOST_UNITS_THEN);
    const then = new Map<Report, UnitThen[]>(refused.map((one) => [one, []]));
    const tapped = (await this.directory.byUnitIds(unit_ids)).map((unit) => {
      const taps = refused.filter((one) => unitIdsOf(one).includes(unit.unit_id));
      return { unit, taps, instants: taps.map(reportedInstant) };
    });
    const accessOfUnits = await this.access.read(tapped, deadline);
    for (const [index, { unit, taps, instants }] of tapped.entries()) {
      const { unit_id, unit_name } = unit;
      accessOfUnits[index]!.forEach((access, tapIndex) => {
        const tap = taps[tapIndex]!;
        // What another tenant owed for the unit before is no cause.
        if (access === undefined || !access.tenant_ids.includes(tap.tenant_id)) return;
        const at = new Date(instants[tapIndex]!).toISOString();
        then.get(tap)!.push({ unit_id, unit_name, at, access, currency });
      });
    }
    return reports.map((one) => {
      const units_then = then.get(one) ?? [];
      return units_then.length === 0 ? one : { ...one, units_then };
    });
  }

  async #unit(unit_id: string): Promise<UnitDocument> {
    return (await this.directory.byUnitId(unit_id))!;
  }

  /** Says of each opening by a tenant who was denied whether the tenant had a key. */
  withHadKey<Report extends ActivityEntry>(
    reports: readonly Report[],
  ): Promise<(Report & { readonly had_key?: boolean })[]> {
    return Promise.all(
      reports.map(async (one) => {
        const device_id = one.lock_id ?? one.entry_point_id;
        if (one.denied_units === undefined || device_id === undefined) return one;
        return { ...one, had_key: await this.keys.hadKey(device_id, one.tenant_id, reportedInstant(one)) };
      }),
    );
  }

  /** The names of the tenants whose apps reported. */
  findReporters(reports: readonly Pick<ActivityEntry, 'tenant_id'>[]): Promise<NamesById> {
    return this.names.findTenants(reports.map(({ tenant_id }) => tenant_id));
  }
}
