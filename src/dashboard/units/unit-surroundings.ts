import { Injectable } from '@nestjs/common';
import { type CompanyClock, CompanyClocks } from '../../companies/index.js';
import { invalidField, notFound } from '../../http/api-error.js';
import { LocationDirectory } from '../../locations/index.js';
import { LocationsController } from '../../operator/index.js';

/** Free locks that a unit's page offers; any other can be typed. */
const OFFERED_LOCKS = 50;
/** What a name or a serial number may have. */
const LONGEST = 255;

const SEVERAL =
  'The lock field fits several locks that are on no unit. Type a serial number, or the identifier that the list of locks tells.';

/** What is around a unit: what the time is there, and what its location has to put on it. */
@Injectable()
export class UnitSurroundings {
  constructor(
    private readonly locations: LocationsController,
    private readonly directory: LocationDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  /** The company's, by which the unit's events are told: a sandbox has one of its own (docs/adr/0010). */
  async clock(location_id: string): Promise<CompanyClock> {
    const { company_id } = (await this.locations.one(location_id)).data;
    return this.clocks.of(company_id);
  }

  /** The clock of the place. */
  async timezone(location_id: string): Promise<string> {
    return (await this.locations.one(location_id)).data.timezone;
  }

  /** The first locks of a location that are on no unit, and whether there are more. */
  async freeLocks(location_id: string) {
    const page = await this.directory.freeLocks(location_id, { limit: OFFERED_LOCKS });
    return { offered: page.documents, hasMore: page.next_cursor !== null };
  }

  /**
   * The lock of a location that somebody calls by its name, serial number or identifier: of several the one that is on no
   * unit. @throws ApiError 404 where there is none, 422 for nothing typed and where it could be several
   */
  async lockCalled(location_id: string, text: string): Promise<string> {
    const called = text.trim();
    if (called === '') throw invalidField('lock', 'required', 'The lock field is required.');
    const [lock, another] =
      called.length > LONGEST ? [] : await this.directory.locksMatching(location_id, called);
    if (another !== undefined) throw invalidField('lock', 'unknown_value', SEVERAL);
    if (lock === undefined) throw notFound('Lock not found.');
    return lock.lock_id;
  }

  async zones(location_id: string) {
    return (await this.locations.zones(location_id)).data.zones;
  }
}
