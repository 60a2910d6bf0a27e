import { Controller, Delete, Param, Patch, Put } from '@nestjs/common';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context } from '../http/request-context.js';
import type { RequestContext } from '../http/request-context.js';
import { Answers } from '../http/openapi/answers.js';
import { ValidBody } from '../http/validation/valid.js';
import { LocationCommands } from '../locations/index.js';
import { entryPointAnswer, lockAnswer } from './facility.answers.js';
import { EntryPointChangeBody } from './facility.dto.js';
import { doneOf } from './facility.refusals.js';
import { ENTRY_POINT_SCHEMA, LOCK_SCHEMA, ZONED_UNIT_SCHEMA } from './facility.schemas.js';

/** Links between things: units in zones, locks on units, zones behind entry points (decisions §6). */
@ForOperators('manager')
@Controller('api/operator')
export class FacilityLinksController {
  constructor(private readonly commands: LocationCommands) {}

  @Put('zones/:zone_id/units/:unit_id')
  @Answers({
    id: 'addUnitToZone',
    description:
      "Both must be of the same location (422). The unit's tenants may then pass the entry points of the zone.",
    summary: 'Put a unit into a zone',
    data: ZONED_UNIT_SCHEMA,
    errors: ['zone_not_found', 'unit_not_found'],
  })
  async zoneUnit(
    @Param('zone_id') zone_id: string,
    @Param('unit_id') unit_id: string,
    @Context() context: RequestContext,
  ) {
    doneOf(await this.commands.zoneUnit(zone_id, unit_id, context));
    return envelope({ zone_id, unit_id });
  }

  @Delete('zones/:zone_id/units/:unit_id')
  @Answers({
    id: 'removeUnitFromZone',
    description: 'A unit that is not in the zone does not change.',
    summary: 'Take a unit out of a zone',
    data: ZONED_UNIT_SCHEMA,
    errors: ['zone_not_found', 'unit_not_found'],
  })
  async unzoneUnit(
    @Param('zone_id') zone_id: string,
    @Param('unit_id') unit_id: string,
    @Context() context: RequestContext,
  ) {
    doneOf(await this.commands.unzoneUnit(zone_id, unit_id, context));
    return envelope({ zone_id, unit_id });
  }

  @Patch('entry-points/:entry_point_id')
  @Answers({
    id: 'changeEntryPoint',
    description:
      'Fields left out stay. `zone_ids` replaces all zones: each must be a zone of the same location (422).',
    summary: 'Change an entry point',
    data: ENTRY_POINT_SCHEMA,
    errors: ['entry_point_not_found'],
  })
  async changeEntryPoint(
    @Param('entry_point_id') entry_point_id: string,
    @ValidBody(EntryPointChangeBody) body: EntryPointChangeBody,
    @Context() context: RequestContext,
  ) {
    const outcome = await this.commands.changeEntryPoint(entry_point_id, body, context);
    return envelope(entryPointAnswer(doneOf(outcome).result));
  }

  @Put('units/:unit_id/locks/:lock_id')
  @Answers({
    id: 'attachLock',
    description: 'A lock is on one unit at a time: 409 if it is on another.',
    summary: 'Put a lock on a unit',
    data: LOCK_SCHEMA,
    errors: ['lock_not_found', 'unit_not_found', 'lock_on_another_unit'],
  })
  async attachLock(
    @Param('unit_id') unit_id: string,
    @Param('lock_id') lock_id: string,
    @Context() context: RequestContext,
  ) {
    return envelope(lockAnswer(doneOf(await this.commands.attachLock(lock_id, unit_id, context)).result));
  }

  @Delete('units/:unit_id/locks/:lock_id')
  @Answers({
    id: 'detachLock',
    description:
      'Keys to it that were given out work offline until they expire. A lock on no unit does not change. A lock on another unit is refused (409).',
    summary: 'Take a lock off a unit',
    data: LOCK_SCHEMA,
    errors: ['lock_not_found', 'unit_not_found', 'lock_on_another_unit'],
  })
  async detachLock(
    @Param('unit_id') unit_id: string,
    @Param('lock_id') lock_id: string,
    @Context() context: RequestContext,
  ) {
    return envelope(lockAnswer(doneOf(await this.commands.detachLock(lock_id, unit_id, context)).result));
  }
}
