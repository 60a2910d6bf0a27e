import { IsOptional } from 'class-validator';
import { IsDateOnly, IsName, IsTypedPhone, IsVisibleText, Says } from '#web/validation/decorators.js';

/** Somebody moves in whom an operator names. */
export class PersonMoveInBody {
  @Says('The person. Used only if the number is new at the location.')
  @IsName()
  readonly name!: string;

  @Says(
    'As people type it: `(312) 555-0100`, or with +, 00 or 011. A tenant of the location with this number moves in.',
  )
  @IsTypedPhone()
  readonly phone!: string;

  @Says('First day of the lease, in the time zone of the location.')
  @IsDateOnly()
  readonly move_in_date!: string;

  @Says('The ledger of the tenancy. Left out or null: none.')
  @IsOptional()
  @IsVisibleText({ max: 255 })
  readonly ledger_id?: string | null;
}
