import { IsOptional } from 'class-validator';
import { IsDateOnly, IsName, IsPhone, IsVisibleText, Says } from '#web/validation/decorators.js';

/** Somebody moves in whom an operator names. */
export class PersonMoveInBody {
  @Says('The person. Used only if the number is new at the location.')
  @IsName()
  readonly name!: string;

  @Says('In international format with a leading +. A tenant of the location with this number moves in.')
  @IsPhone()
  readonly phone!: string;

  @Says('First day of the lease, in the time zone of the location.')
  @IsDateOnly()
  readonly move_in_date!: string;

  @Says('The ledger of the tenancy. Left out or null: none.')
  @IsOptional()
  @IsVisibleText({ max: 255 })
  readonly ledger_id?: string | null;
}
