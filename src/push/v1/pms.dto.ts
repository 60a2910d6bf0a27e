import { IsIdentifier, Required } from '../../http/index.js';
import { MoveInBody } from '../unit.dto.js';

/** A move-in of the earlier surface: its path does not name the unit. */
export class MoveInEvent extends MoveInBody {
  @Required() @IsIdentifier() crm_unit_id!: string;
}

/** A move-out of the earlier surface. */
export class MoveOutEvent {
  @Required() @IsIdentifier() crm_unit_id!: string;
}
