import { Injectable } from '@nestjs/common';
import { presentDecision, UnitAccess, type UnitGate, UnitGates } from '#domain/access/index.js';
import { ExplanationReads } from '#api/history/index.js';
import { UnitAdministration } from '#api/operator/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LatestTaps } from '#domain/history/index.js';
import { type LocationDocument, LocationDirectory } from '#domain/locations/index.js';
import { Conditions } from '#domain/locks/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext } from '#web/request-context.js';
import type { UnitReport } from '../activity/named-entries.js';
import type { DecidedUnit } from '../units/decision.js';
import type { UnitDetail } from '../units/unit-detail.js';

/** Taps that the panel lists. */
const TAPS = 4;

export interface PeekedUnit {
  readonly unit: UnitDetail;
  readonly decided: DecidedUnit;
  readonly gates: readonly UnitGate[];
  /** The newest first. */
  readonly taps: readonly UnitReport[];
  /** The lowest of its locks' charges. Undefined: none is known. */
  readonly battery: { readonly percent: number; readonly at: number } | undefined;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

/** Reads what a caller asks of one unit, for the panel beside a map or a table. */
@Injectable()
export class UnitPeekReader {
  constructor(
    private readonly directory: UnitDirectory,
    private readonly units: UnitAdministration,
    private readonly explanation: ExplanationReads,
    private readonly access: UnitAccess,
    private readonly gates: UnitGates,
    private readonly locations: LocationDirectory,
    private readonly taps: LatestTaps,
    private readonly conditions: Conditions,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * @param asked the `crm_unit_id`, as the address has it
   * @returns undefined if the location has no such unit
   * @throws StoreUnavailableError, GivenUpError
   */
  async find(
    { location_id, company_id }: { readonly location_id: string; readonly company_id: string },
    asked: unknown,
    { deadline }: OperatorContext,
  ): Promise<PeekedUnit | undefined> {
    if (typeof asked !== 'string') return undefined;
    const document = await this.directory.byPathKey(company_id, asked);
    if (document?.location_id !== location_id) return undefined;
    const [unit, { checks }, { next }, location, clock] = await Promise.all([
      this.units.readDetail(document),
      this.explanation.explainUnitForOperator(document, deadline),
      this.access.outlook(document),
      this.locations.location(location_id),
      this.clocks.findClock(company_id),
    ]);
    const [gates, taps, batteries] = await Promise.all([
      this.#gatesOf(unit),
      location === undefined ? [] : this.#tapsOf(unit, location),
      this.conditions.batteriesOf(unit.locks.map(({ lock_id }) => lock_id)),
    ]);
    const ahead = next && { ...presentDecision(next), from: toTimestamp(next.from) };
    const decided: DecidedUnit = { ...unit, access: { ...unit.access, checks }, next: ahead };
    const [battery] = [...batteries.values()].sort((one, other) => one.percent - other.percent);
    return { unit, decided, gates, taps, battery, now: clock.now() };
  }

  async #gatesOf({ unit_id, company_id, location, tenant, zones }: UnitDetail) {
    if (tenant === null || zones.length === 0) return [];
    const { tenant_id } = tenant;
    return this.gates.findGates({ unit_id, tenant_id, company_id, location_id: location.id });
  }

  async #tapsOf({ unit_id, tenant }: UnitDetail, location: LocationDocument) {
    return tenant === null ? [] : this.taps.listOfTenant(tenant, [unit_id], location, TAPS);
  }
}
