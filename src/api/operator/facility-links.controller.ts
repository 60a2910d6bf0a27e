import { Controller, Delete, Param, Patch, Post, Put } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Answers } from '#web/openapi/answers.js';
import { ValidBody } from '#web/validation/parameters.js';
import { EntryPointChangeBody, LockChangeBody, LockReplacementBody, NameBody } from './facility.dto.js';
import { ENTRY_POINT_SCHEMA, LOCK_SCHEMA, ZONE_SCHEMA, ZONED_UNIT_SCHEMA } from './facility.schemas.js';
import { EquipmentAdministration } from './equipment-administration.js';

/** Zones, entry points and locks, and the links between them and units (decisions §6, §14). */
@ForOperators('manager')
@ForSiteOperators('named')
@Controller('api/operator')
export class FacilityLinksController {
  constructor(private readonly equipment: EquipmentAdministration) {}

  @Patch('zones/:zone_id')
  @Answers({
    id: 'renameZone',
    description: 'Units and entry points stay in it.',
    summary: 'Rename a zone',
    data: ZONE_SCHEMA,
    errors: ['zone_not_found'],
  })
  async renameZone(
    @Param('zone_id') zone_id: string,
    @ValidBody(NameBody) body: NameBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.equipment.renameZone(zone_id, body, context));
  }

  @Delete('zones/:zone_id')
  @Answers({
    id: 'removeZone',
    description:
      'Refused while a unit is in it, or an entry point leads to it (409). The past still shows it. A zone that was removed before does not change.',
    summary: 'Remove a zone',
    data: ZONE_SCHEMA,
    errors: ['zone_not_found', 'zone_in_use'],
  })
  async removeZone(@Param('zone_id') zone_id: string, @Context() context: RequestContext) {
    return envelope(await this.equipment.removeZone(zone_id, context));
  }

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
    return envelope(await this.equipment.addUnitToZone(zone_id, unit_id, context));
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
    return envelope(await this.equipment.removeUnitFromZone(zone_id, unit_id, context));
  }

  @Put('zones/:zone_id/entry-points/:entry_point_id')
  @Answers({
    id: 'addEntryPointToZone',
    description:
      'It then opens to the units of this zone, too. Its other zones stay, also those that somebody else adds at the same time.',
    summary: 'Lead an entry point to a zone',
    data: ENTRY_POINT_SCHEMA,
    errors: ['zone_not_found', 'entry_point_not_found'],
  })
  async zoneEntryPoint(
    @Param('zone_id') zone_id: string,
    @Param('entry_point_id') entry_point_id: string,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.equipment.addEntryPointToZone(zone_id, entry_point_id, context));
  }

  @Delete('zones/:zone_id/entry-points/:entry_point_id')
  @Answers({
    id: 'removeEntryPointFromZone',
    description:
      'An entry point that does not lead to the zone does not change, even if the zone was removed since.',
    summary: 'Lead an entry point to a zone no more',
    data: ENTRY_POINT_SCHEMA,
    errors: ['zone_not_found', 'entry_point_not_found'],
  })
  async unzoneEntryPoint(
    @Param('zone_id') zone_id: string,
    @Param('entry_point_id') entry_point_id: string,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.equipment.removeEntryPointFromZone(zone_id, entry_point_id, context));
  }

  @Patch('entry-points/:entry_point_id')
  @Answers({
    id: 'changeEntryPoint',
    description:
      'Fields left out stay. `zone_ids` replaces all zones: each must be a zone of the same location (422). To add or take one zone, use `PUT` or `DELETE /zones/{zone_id}/entry-points/{entry_point_id}`.',
    summary: 'Change an entry point',
    data: ENTRY_POINT_SCHEMA,
    errors: ['entry_point_not_found'],
  })
  async changeEntryPoint(
    @Param('entry_point_id') entry_point_id: string,
    @ValidBody(EntryPointChangeBody) body: EntryPointChangeBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.equipment.changeEntryPoint(entry_point_id, body, context));
  }

  @Delete('entry-points/:entry_point_id')
  @Answers({
    id: 'removeEntryPoint',
    description:
      'Refused while it is in service and a unit is in one of its zones (409). Keys to it that were given out open until they expire, and its activity can still be read. An entry point that was removed before does not change.',
    summary: 'Remove an entry point',
    data: ENTRY_POINT_SCHEMA,
    errors: ['entry_point_not_found', 'entry_point_in_use'],
  })
  async removeEntryPoint(
    @Param('entry_point_id') entry_point_id: string,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.equipment.removeEntryPoint(entry_point_id, context));
  }

  @Patch('locks/:lock_id')
  @Answers({
    id: 'changeLock',
    description:
      'Fields left out stay. The next key to it has the new format. Locks of format 3 accept keys of format 1, too.',
    summary: 'Change the name or the key format of a lock',
    data: LOCK_SCHEMA,
    errors: ['lock_not_found'],
  })
  async changeLock(
    @Param('lock_id') lock_id: string,
    @ValidBody(LockChangeBody) body: LockChangeBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.equipment.changeLock(lock_id, body, context));
  }

  @Delete('locks/:lock_id')
  @Answers({
    id: 'removeLock',
    description:
      'Refused while it is on a unit (409). Keys to it that were given out open until they expire, and its activity can still be read. A lock that was removed before does not change.',
    summary: 'Remove a lock',
    data: LOCK_SCHEMA,
    errors: ['lock_not_found', 'lock_in_use'],
  })
  async removeLock(@Param('lock_id') lock_id: string, @Context() context: RequestContext) {
    return envelope(await this.equipment.removeLock(lock_id, context));
  }

  @Post('units/:unit_id/locks/:lock_id/replacement')
  @Answers({
    id: 'replaceLock',
    description:
      'Takes the lock off and puts another on, in one act: a new one, or `lock_id` of one that is on no unit. Answers the lock that is on the unit now. The other one stays at the location, on no unit; keys to it that were given out open until they expire.',
    summary: 'Replace a lock of a unit by another one',
    data: LOCK_SCHEMA,
    errors: ['lock_not_found', 'unit_not_found', 'lock_on_another_unit'],
  })
  async replaceLock(
    @Param('unit_id') unit_id: string,
    @Param('lock_id') lock_id: string,
    @ValidBody(LockReplacementBody) body: LockReplacementBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.equipment.replaceLock(unit_id, lock_id, body, context));
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
    return envelope(await this.equipment.attachLock(unit_id, lock_id, context));
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
    return envelope(await this.equipment.detachLock(unit_id, lock_id, context));
  }
}
