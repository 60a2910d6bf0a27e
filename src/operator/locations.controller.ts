import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { PolicyEffects } from '../access/index.js';
import { Answers } from '../http/openapi/answers.js';
import * as schema from '../http/openapi/schemas.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { ValidBody, ValidQuery } from '../http/validation/valid.js';
import { LocationCommands, LocationDirectory } from '../locations/index.js';
import type { LocationDocument } from '../locations/index.js';
import { writeEnvelope } from '../push/index.js';
import { entryPointAnswer, locationAnswer, lockAnswer, policyOf, zoneAnswer } from './facility.answers.js';
import { DryRunQuery, LocationChangeBody, NameBody, NewEntryPointBody, NewLockBody } from './facility.dto.js';
import { doneOf, found } from './facility.refusals.js';
import {
  CHANGED_LOCATION_SCHEMA,
  ENTRY_POINT_SCHEMA,
  LOCATION_SCHEMA,
  LOCK_SCHEMA,
  ZONE_SCHEMA,
} from './facility.schemas.js';

/** A location with its zones, entry points and locks (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/locations/:location_id')
export class LocationsController {
  constructor(
    private readonly commands: LocationCommands,
    private readonly directory: LocationDirectory,
    private readonly effects: PolicyEffects,
  ) {}

  @Get()
  @Answers({
    id: 'getLocation',
    description: 'Its policy decides about access at each read.',
    summary: 'Read a location with its policy',
    data: LOCATION_SCHEMA,
    errors: ['location_not_found'],
  })
  async one(@Param('location_id') location_id: string) {
    return envelope(locationAnswer(await this.#location(location_id)));
  }

  @ForOperators('manager')
  @Patch()
  @Answers({
    id: 'changeLocation',
    description:
      'Fields left out stay. Every unit of the location is decided again. `effect` names the units that are locked or unlocked by it.',
    summary: 'Change a location or its policy; all its units are decided again',
    data: CHANGED_LOCATION_SCHEMA,
    errors: ['location_not_found'],
  })
  async change(
    @Param('location_id') location_id: string,
    @ValidBody(LocationChangeBody) body: LocationChangeBody,
    @ValidQuery(DryRunQuery) { dry_run = false }: DryRunQuery,
    @Context() context: RequestContext,
  ) {
    const location = await this.#location(location_id);
    const wanted = { name: body.name, policy: policyOf(body) };
    const policy = { ...location.policy, ...wanted.policy };
    const effect = await this.effects.of(location, policy, context.deadline);
    const result = dry_run
      ? { ...location, name: body.name ?? location.name, policy }
      : doneOf(await this.commands.changeLocation(location_id, wanted, context)).result;
    return writeEnvelope(dry_run, { ...locationAnswer(result), ...(dry_run && { dry_run }), effect });
  }

  @Get('zones')
  @Answers({
    id: 'listZones',
    description: 'All of them. A unit shows its own zones.',
    summary: 'List the zones of a location',
    data: schema.object({ zones: schema.says('The zones of the location.', schema.list(ZONE_SCHEMA)) }),
    errors: ['location_not_found'],
  })
  async zones(@Param('location_id') location_id: string) {
    const { zones } = await this.#location(location_id);
    return envelope({ zones: zones.map(zoneAnswer) });
  }

  @ForOperators('manager')
  @Post('zones')
  @Answers({
    id: 'createZone',
    description: 'The new zone has no units and no entry points. Names may repeat.',
    summary: 'Add a zone',
    data: ZONE_SCHEMA,
    errors: ['location_not_found'],
  })
  async addZone(
    @Param('location_id') location_id: string,
    @ValidBody(NameBody) { name }: NameBody,
    @Context() context: RequestContext,
  ) {
    return envelope(zoneAnswer(doneOf(await this.commands.addZone(location_id, name, context)).result));
  }

  @Get('entry-points')
  @Answers({
    id: 'listEntryPoints',
    description: 'All of them, those out of service too.',
    summary: 'List the entry points of a location',
    data: schema.object({
      entry_points: schema.says(
        'Gates, doors and elevators of the location.',
        schema.list(ENTRY_POINT_SCHEMA),
      ),
    }),
    errors: ['location_not_found'],
  })
  async entryPoints(@Param('location_id') location_id: string) {
    const { entry_points } = await this.#location(location_id);
    return envelope({ entry_points: entry_points.map(entryPointAnswer) });
  }

  @ForOperators('manager')
  @Post('entry-points')
  @Answers({
    id: 'createEntryPoint',
    description:
      'It opens to tenants with a permitted unit in one of its zones: each must be a zone of the location (422).',
    summary: 'Add an entry point',
    data: ENTRY_POINT_SCHEMA,
    errors: ['location_not_found'],
  })
  async addEntryPoint(
    @Param('location_id') location_id: string,
    @ValidBody(NewEntryPointBody) body: NewEntryPointBody,
    @Context() context: RequestContext,
  ) {
    const outcome = await this.commands.addEntryPoint(location_id, body, context);
    return envelope(entryPointAnswer(doneOf(outcome).result));
  }

  @Get('locks')
  @Answers({
    id: 'listLocks',
    description: 'All of them, those on no unit too.',
    summary: 'List the locks of a location',
    data: schema.object({ locks: schema.says('The locks of the location.', schema.list(LOCK_SCHEMA)) }),
    errors: ['location_not_found'],
  })
  async locks(@Param('location_id') location_id: string) {
    await this.#location(location_id);
    const locks = await this.directory.locksOfLocation(location_id);
    return envelope({ locks: locks.map(lockAnswer) });
  }

  @ForOperators('manager')
  @Post('locks')
  @Answers({
    id: 'createLock',
    description: 'It opens nothing until it is put on a unit.',
    summary: 'Add a lock',
    data: LOCK_SCHEMA,
    errors: ['location_not_found'],
  })
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
