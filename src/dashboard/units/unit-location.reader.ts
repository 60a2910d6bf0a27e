import { Injectable } from '@nestjs/common';
import { type CompanyClock, CompanyClocks, CompanyDirectory, notInViews } from '#domain/companies/index.js';
import { errorOf, invalidField } from '#kernel/errors/api-error.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { Conditions, LOW_BATTERY } from '#domain/locks/index.js';
import { LocationAdministration } from '#api/operator/index.js';

/** Free locks that a unit's page offers; any other can be typed. */
const OFFERED_LOCKS = 50;
/** The longest name or serial number. */
const LONGEST = 255;

const SEVERAL =
  'The lock field fits several locks that are on no unit. Choose one that is offered, or type its serial number.';

/** What locks reported of their charge, by `lock_id`. */
export type LastReports = Awaited<ReturnType<Conditions['lastReportsOf']>>;

export type LowBatteries = ReadonlyMap<string, number>;

export interface UnitCompany {
  readonly company_id: string;
  readonly name: string;
  readonly clock: CompanyClock;
}

/** The company and the local time of a unit, and the locks that its location has. */
@Injectable()
export class UnitLocationReader {
  constructor(
    private readonly locations: LocationAdministration,
    private readonly directory: LocationDirectory,
    private readonly companies: CompanyDirectory,
    private readonly clocks: CompanyClocks,
    private readonly conditions: Conditions,
  ) {}

  /** A unit's company with its clock: a sandbox has its own (docs/adr/0010). @throws StoreUnavailableError */
  async readCompany(company_id: string): Promise<UnitCompany> {
    const company = await this.companies.company(company_id);
    if (company === undefined) throw notInViews(company_id);
    return { company_id, name: company.name, clock: this.clocks.clockOf(company) };
  }

  /** The IANA time zone of the location. */
  async readTimezone(location_id: string): Promise<string> {
    return (await this.locations.readLocation(location_id)).timezone;
  }

  /** The newest report of each lock that has one, by `lock_id`. */
  readLastReports(locks: readonly { readonly lock_id: string }[]): Promise<LastReports> {
    return this.conditions.lastReportsOf(locks.map(({ lock_id }) => lock_id));
  }

  /** The charge of each lock whose battery was last reported low, in percent, by `lock_id`. */
  async findLowBatteries(locks: readonly { readonly lock_id: string }[]): Promise<LowBatteries> {
    const batteries = await this.conditions.batteriesOf(locks.map(({ lock_id }) => lock_id));
    const charges = [...batteries].map(([lock_id, { percent }]) => [lock_id, percent] as const);
    return new Map(charges.filter(([, percent]) => percent < LOW_BATTERY));
  }

  /** The first locks of a location that are on no unit, and whether there are more. */
  async findFreeLocks(location_id: string) {
    const { locks: offered, hasMore } = await this.directory.freeLocks(location_id, OFFERED_LOCKS);
    return { offered, hasMore };
  }

  /**
   * Finds a lock of a location by name, serial number or identifier. Among several it takes the one without a unit.
   * @throws ApiError 404 for no lock, 422 for an empty text and for several locks
   */
  async findLockCalled(location_id: string, text: string): Promise<string> {
    const called = text.trim();
    if (called === '') throw invalidField('lock', 'required', 'The lock field is required.');
    const [lock, another] =
      called.length > LONGEST ? [] : await this.directory.locksMatching(location_id, called);
    if (another !== undefined) throw invalidField('lock', 'unknown_value', SEVERAL);
    if (lock === undefined) throw errorOf('lock_not_found');
    return lock.lock_id;
  }

  listZones(location_id: string) {
    return this.locations.listZones(location_id);
  }
}
