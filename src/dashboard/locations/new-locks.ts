import { Injectable } from '@nestjs/common';
import { EquipmentAdministration, LocationAdministration, NewLockBody } from '#api/operator/index.js';
import type { LockDocument } from '#domain/locations/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { derivedUlid } from '#kernel/derived-ulid.js';
import { invalidField } from '#kernel/errors/api-error.js';
import type { OperatorContext } from '#web/request-context.js';
import { validForm } from '#web/validation/read-form.js';
import { type FormValues, lastOf } from '../page/page.js';
import { findUnitsIn } from './typed-units.js';

type LockIds = Pick<LockDocument, 'lock_id' | 'location_id'>;

/** Adds a lock to a location, and puts locks on the unit that a form names. */
@Injectable()
export class NewLocks {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationAdministration,
    private readonly equipment: EquipmentAdministration,
  ) {}

  /** @returns the name of its unit, null for a spare lock @throws ApiError 404, 422, StoreUnavailableError */
  async add(location_id: string, form: FormValues, context: OperatorContext) {
    const { serial, name: typed, unit: unitText } = typedIn(form);
    await this.locations.readLocation(location_id);
    const unit = unitText === '' ? null : await this.#find(location_id, unitText);
    const name = typed || (unit === null ? serial : `${unit.unit_name} door`);
    const { lock_id } = await this.locations.addLock(
      location_id,
      validForm(NewLockBody, { name, serial }),
      context,
    );
    if (unit === null) return { unit_name: null };
    const command_id = derivedUlid(context.command_id, lock_id);
    await this.equipment.attachLock(unit.unit_id, lock_id, { ...context, command_id });
    return { unit_name: unit.unit_name };
  }

  /** @throws ApiError 404, 409, 422, StoreUnavailableError */
  async putOnUnit({ lock_id, location_id }: LockIds, form: FormValues, context: OperatorContext) {
    const { unit_id } = await this.#find(location_id, typedIn(form).unit);
    await this.equipment.attachLock(unit_id, lock_id, context);
  }

  async #find(location_id: string, text: string): Promise<UnitDocument> {
    const found = await findUnitsIn(text, { units: this.units, location_id, field: 'unit' });
    if (found.length > 1) throw invalidField('unit', 'ambiguous', 'A lock is on one unit.');
    return found[0]!;
  }
}

function typedIn(form: FormValues) {
  const of = (field: string) => lastOf(form[field])?.trim() ?? '';
  return { serial: of('serial'), name: of('name'), unit: of('unit') };
}
