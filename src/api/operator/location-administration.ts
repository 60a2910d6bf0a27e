import { Injectable } from '@nestjs/common';
import { LocationForecast } from '#domain/access/index.js';
import { TapsOutsideHours } from '#domain/history/index.js';
import { detailsAfter, LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import type { OperatorContext, RequestContext } from '#web/request-context.js';
import { entryPointAnswer, locationAnswer, lockAnswer, policyOf, zoneAnswer } from './facility.answers.js';
import type {
  DryRunQuery,
  LocationChangeBody,
  NameBody,
  NewEntryPointBody,
  NewLockBody,
} from './facility.dto.js';
import { found } from './facility.refusals.js';
import { LocationCommands } from './location-commands.js';
import { OperatorProof } from './operator-proof.js';
import { accessHoursOf } from './hours/access-hours.dto.js';

/** A location with its zones, entry points and locks (decisions §6). Every method throws ApiError 404, writes 409 and 422. */
@Injectable()
export class LocationAdministration {
  constructor(
    private readonly commands: LocationCommands,
    private readonly directory: LocationDirectory,
    private readonly forecast: LocationForecast,
    private readonly taps: TapsOutsideHours,
    private readonly proof: OperatorProof,
  ) {}

  async readLocation(location_id: string) {
    return locationAnswer(await this.#find(location_id));
  }

  /**
   * Also answers what the change does to units and would have done at gates. A dry run changes nothing.
   * @throws ApiError 403, 422, 429 for the payment link, which an admin sets who proves again who he is
   */
  async changeLocation(
    location_id: string,
    body: LocationChangeBody,
    { dry_run = false }: DryRunQuery,
    context: OperatorContext,
  ) {
    const location = await this.#find(location_id);
    if (body.contact?.payment_url !== undefined) await this.proof.assertAdmin(body.proof, context);
    const access_hours = body.access_hours && accessHoursOf(body.access_hours);
    const { name, contact, currency, notices, tenant_sharing } = body;
    const settings = { access_hours, contact, currency, notices, tenant_sharing };
    const wanted = { name, policy: policyOf(body), ...settings };
    const after = detailsAfter(location, wanted);
    const effect = await this.forecast.findEffect(location, after.policy, context.deadline);
    const taps = access_hours
      ? { taps_outside_hours: await this.taps.countTaps(location, access_hours, after.policy.timezone) }
      : {};
    const result = dry_run
      ? { ...location, ...after }
      : await this.commands.write({ type: 'ChangeLocation', location_id, ...wanted }, context);
    return { ...locationAnswer(result), ...(dry_run && { dry_run }), effect, ...taps };
  }

  async listZones(location_id: string) {
    const { zones } = await this.#find(location_id);
    return zones.map(zoneAnswer);
  }

  async addZone(location_id: string, { name }: NameBody, context: RequestContext) {
    const command = { type: 'AddZone', location_id, name } as const;
    return zoneAnswer(await this.commands.write(command, context));
  }

  async listEntryPoints(location_id: string) {
    const { entry_points } = await this.#find(location_id);
    return entry_points.map(entryPointAnswer);
  }

  async addEntryPoint(location_id: string, body: NewEntryPointBody, context: RequestContext) {
    const command = { ...body, type: 'AddEntryPoint', location_id } as const;
    return entryPointAnswer(await this.commands.write(command, context));
  }

  async listLocks(location_id: string) {
    await this.#find(location_id);
    const locks = await this.directory.locksOfLocation(location_id);
    return locks.map(lockAnswer);
  }

  async addLock(location_id: string, { serial, ...body }: NewLockBody, context: RequestContext) {
    const command = { ...body, type: 'AddLock', location_id, serial: serial ?? null } as const;
    return lockAnswer(await this.commands.write(command, context));
  }

  async #find(location_id: string): Promise<LocationDocument> {
    return found(await this.directory.location(location_id), 'location_not_found');
  }
}
