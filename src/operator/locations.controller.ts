import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/envelope.js';
import { Context } from '../http/request-context.js';
import type { RequestContext } from '../http/request-context.js';
import { demandAnyField, ValidBody } from '../http/validation/index.js';
import { LocationCommands, LocationDirectory } from '../locations/index.js';
import type { LocationDocument } from '../locations/index.js';
import { entryPointAnswer, locationAnswer, lockAnswer, policyOf, zoneAnswer } from './facility.answers.js';
import { LocationChangeBody, NameBody, NewEntryPointBody, NewLockBody } from './facility.dto.js';
import { doneOf, found } from './facility.refusals.js';

/** A location and what is added to it (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/locations/:location_id')
export class LocationsController {
  constructor(
    private readonly commands: LocationCommands,
    private readonly directory: LocationDirectory,
  ) {}

  @Get()
  async one(@Param('location_id') location_id: string) {
    return envelope(locationAnswer(await this.#location(location_id)));
  }

  @ForOperators('manager')
  @Patch()
  async change(
    @Param('location_id') location_id: string,
    @ValidBody(LocationChangeBody) body: LocationChangeBody,
    @Context() context: RequestContext,
  ) {
    demandAnyField(body);
    const wanted = { name: body.name, policy: policyOf(body) };
    const { result } = doneOf(await this.commands.changeLocation(location_id, wanted, context));
    return envelope(locationAnswer(result));
  }

  @Get('zones')
  async zones(@Param('location_id') location_id: string) {
    await this.#location(location_id);
    const zones = await this.directory.zonesOfLocation(location_id);
    return envelope({ zones: zones.map(zoneAnswer) });
  }

  @ForOperators('manager')
  @Post('zones')
  async addZone(
    @Param('location_id') location_id: string,
    @ValidBody(NameBody) { name }: NameBody,
    @Context() context: RequestContext,
  ) {
    return envelope(zoneAnswer(doneOf(await this.commands.addZone(location_id, name, context)).result));
  }

  @Get('entry-points')
  async entryPoints(@Param('location_id') location_id: string) {
    await this.#location(location_id);
    const entryPoints = await this.directory.entryPointsOfLocation(location_id);
    return envelope({ entry_points: entryPoints.map(entryPointAnswer) });
  }

  @ForOperators('manager')
  @Post('entry-points')
  async addEntryPoint(
    @Param('location_id') location_id: string,
    @ValidBody(NewEntryPointBody) body: NewEntryPointBody,
    @Context() context: RequestContext,
  ) {
    const outcome = await this.commands.addEntryPoint(location_id, body, context);
    return envelope(entryPointAnswer(doneOf(outcome).result));
  }

  @Get('locks')
  async locks(@Param('location_id') location_id: string) {
    await this.#location(location_id);
    const locks = await this.directory.locksOfLocation(location_id);
    return envelope({ locks: locks.map(lockAnswer) });
  }

  @ForOperators('manager')
  @Post('locks')
  async addLock(
    @Param('location_id') location_id: string,
    @ValidBody(NewLockBody) { name, serial }: NewLockBody,
    @Context() context: RequestContext,
  ) {
    const outcome = await this.commands.addLock(location_id, { name, serial: serial ?? null }, context);
    return envelope(lockAnswer(doneOf(outcome).result));
  }

  async #location(location_id: string): Promise<LocationDocument> {
    return found(await this.directory.location(location_id), 'location_not_found');
  }
}
