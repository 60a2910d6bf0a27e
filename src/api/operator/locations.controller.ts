import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import * as schema from '#web/openapi/schemas.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext, type RequestContext } from '#web/request-context.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';
import { writeEnvelope } from '#api/push/index.js';
import { DryRunQuery, LocationChangeBody, NameBody, NewEntryPointBody, NewLockBody } from './facility.dto.js';
import {
  CHANGED_LOCATION_SCHEMA,
  ENTRY_POINT_SCHEMA,
  LOCATION_SCHEMA,
  LOCK_SCHEMA,
  ZONE_SCHEMA,
} from './facility.schemas.js';
import { LocationAdministration } from './location-administration.js';

/** A location with its zones, entry points and locks (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator/locations/:location_id')
export class LocationsController {
  constructor(private readonly locations: LocationAdministration) {}

  @Get()
  @Answers({
    id: 'getLocation',
    description: 'Its policy decides about access at each read.',
    summary: 'Read a location with its policy',
    data: LOCATION_SCHEMA,
    errors: ['location_not_found'],
  })
  async one(@Param('location_id') location_id: string) {
    return envelope(await this.locations.readLocation(location_id));
  }

  @ForOperators('manager')
  @Patch()
  @Answers({
    id: 'changeLocation',
    description:
      'Fields left out stay. Every unit of the location is decided again. `effect` names the units that are locked or unlocked by it, `taps_outside_hours` the tenants who would have found a gate closed. `contact.payment_url` is for admins, with a `proof`.',
    summary: 'Change a location or its policy; all its units are decided again',
    data: CHANGED_LOCATION_SCHEMA,
    errors: ['location_not_found', 'rate_limited'],
  })
  async change(
    @Param('location_id') location_id: string,
    @ValidBody(LocationChangeBody) body: LocationChangeBody,
    @ValidQuery(DryRunQuery) query: DryRunQuery,
    @Context() context: OperatorContext,
  ) {
    return writeEnvelope(
      query.dry_run,
      await this.locations.changeLocation(location_id, body, query, context),
    );
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
    return envelope({ zones: await this.locations.listZones(location_id) });
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
    @ValidBody(NameBody) body: NameBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.locations.addZone(location_id, body, context));
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
    return envelope({ entry_points: await this.locations.listEntryPoints(location_id) });
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
    return envelope(await this.locations.addEntryPoint(location_id, body, context));
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
    return envelope({ locks: await this.locations.listLocks(location_id) });
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
    @ValidBody(NewLockBody) body: NewLockBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.locations.addLock(location_id, body, context));
  }
}
