import { IsIdentifier } from '../../http/index.js';
import { MoveInBody } from '../unit.dto.js';

/** A move-in of the earlier surface: its path does not name the unit. */
export class MoveInEvent extends MoveInBody {
  @IsIdentifier() crm_unit_id!: string;
}

/** A move-out of the earlier surface. */
export class MoveOutEvent {
  @IsIdentifier() crm_unit_id!: string;
}
