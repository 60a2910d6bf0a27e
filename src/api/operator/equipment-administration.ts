import { Injectable } from '@nestjs/common';
import type { ReplacingLock } from '#domain/locations/index.js';
import type { RequestContext } from '#web/request-context.js';
import { invalidField, validationFailed } from '#kernel/errors/api-error.js';
import { entryPointAnswer, lockAnswer, zoneAnswer } from './facility.answers.js';
import type { EntryPointChangeBody, LockChangeBody, LockReplacementBody, NameBody } from './facility.dto.js';
import { LocationCommands } from './location-commands.js';

const NO_LOCK = 'The lock id field is required, or the name or the serial of a new lock.';

/** Units in zones, locks on units, zones behind entry points (decisions §6). Every method throws ApiError 404, 409, 422. */
@Injectable()
export class EquipmentAdministration {
  constructor(private readonly commands: LocationCommands) {}

  async addUnitToZone(zone_id: string, unit_id: string, context: RequestContext) {
    const command = { type: 'ZoneUnit', zone_id, unit_id } as const;
    await this.commands.write(command, context);
    return { zone_id, unit_id };
  }

  async removeUnitFromZone(zone_id: string, unit_id: string, context: RequestContext) {
    const command = { type: 'UnzoneUnit', zone_id, unit_id } as const;
    await this.commands.write(command, context);
    return { zone_id, unit_id };
  }

  async addEntryPointToZone(zone_id: string, entry_point_id: string, context: RequestContext) {
    const command = { type: 'ZoneEntryPoint', zone_id, entry_point_id } as const;
    return entryPointAnswer(await this.commands.write(command, context));
  }

  async removeEntryPointFromZone(zone_id: string, entry_point_id: string, context: RequestContext) {
    const command = { type: 'UnzoneEntryPoint', zone_id, entry_point_id } as const;
    return entryPointAnswer(await this.commands.write(command, context));
  }

  async renameZone(zone_id: string, { name }: NameBody, context: RequestContext) {
    const command = { type: 'RenameZone', zone_id, name } as const;
    return zoneAnswer(await this.commands.write(command, context));
  }

  async removeZone(zone_id: string, context: RequestContext) {
    const command = { type: 'RemoveZone', zone_id } as const;
    return zoneAnswer(await this.commands.write(command, context));
  }

  async removeEntryPoint(entry_point_id: string, context: RequestContext) {
    const command = { type: 'RemoveEntryPoint', entry_point_id } as const;
    return entryPointAnswer(await this.commands.write(command, context));
  }

  async changeEntryPoint(entry_point_id: string, body: EntryPointChangeBody, context: RequestContext) {
    const command = { ...body, type: 'ChangeEntryPoint', entry_point_id } as const;
    return entryPointAnswer(await this.commands.write(command, context));
  }

  async changeLock(lock_id: string, body: LockChangeBody, context: RequestContext) {
    const command = { ...body, type: 'ChangeLock', lock_id } as const;
    return lockAnswer(await this.commands.write(command, context));
  }

  async removeLock(lock_id: string, context: RequestContext) {
    const command = { type: 'RemoveLock', lock_id } as const;
    return lockAnswer(await this.commands.write(command, context));
  }

  /** Answers the lock that is on the unit now. */
  async replaceLock(unit_id: string, lock_id: string, body: LockReplacementBody, context: RequestContext) {
    const command = { type: 'ReplaceLock', unit_id, lock_id, by: replacingLock(body) } as const;
    return lockAnswer(await this.commands.write(command, context));
  }

  async attachLock(unit_id: string, lock_id: string, context: RequestContext) {
    const command = { type: 'AttachLock', lock_id, unit_id } as const;
    return lockAnswer(await this.commands.write(command, context));
  }

  async detachLock(unit_id: string, lock_id: string, context: RequestContext) {
    const command = { type: 'DetachLock', lock_id, unit_id } as const;
    return lockAnswer(await this.commands.write(command, context));
  }
}

/**
 * A new lock needs a name or a serial number: an empty body would take a real lock off for nothing.
 * @throws ApiError 422 for a body that names no lock, and for a known lock with the fields of a new one
 */
function replacingLock({ lock_id, name, serial = null, key_format }: LockReplacementBody): ReplacingLock {
  if (lock_id === undefined) {
    if (name === undefined && serial === null) throw invalidField('lock_id', 'required', NO_LOCK);
    return { kind: 'new', name, serial, key_format };
  }
  const ofNew = Object.entries({ name, serial: serial ?? undefined, key_format });
  const given = ofNew.flatMap(([field, value]) => (value === undefined ? [] : field));
  if (given.length === 0) return { kind: 'known', lock_id };
  throw validationFailed(
    given.map((field) => {
      const message = `The ${field.replaceAll('_', ' ')} field is of a new lock, and not allowed with lock id.`;
      return { field, code: 'not_allowed', message };
    }),
  );
}
