import * as field from '#web/openapi/fields.js';
import { IsIdentifier, Says } from '#web/validation/decorators.js';
import { MoveInBody } from '../unit.dto.js';

/** A move-out of the earlier API, whose path does not name the unit. */
export class MoveOutEvent {
  @Says(field.crm_unit_id.description!)
  @IsIdentifier()
  crm_unit_id!: string;
}

export class MoveInEvent extends MoveInBody {
  @Says(field.crm_unit_id.description!)
  @IsIdentifier()
  crm_unit_id!: string;
}
