import { IsOptional } from 'class-validator';
import { IsDateOnly, IsName, IsTypedPhone, IsVisibleText, Says } from '#web/validation/decorators.js';

/** What is agreed with whoever moves in. */
export class LeaseBody {
  @Says('First day of the lease, in the time zone of the location.')
  @IsDateOnly()
  readonly move_in_date!: string;

  @Says('The ledger of the tenancy. Left out or null: none.')
  @IsOptional()
  @IsVisibleText({ max: 255 })
  readonly ledger_id?: string | null;
}

/** Somebody new moves in, whom an operator names. */
export class PersonMoveInBody extends LeaseBody {
  @Says('The person.')
  @IsName()
  readonly name!: string;

  @Says('As people type it: `(312) 555-0100`, or with +, 00 or 011. No tenant of the location has it.')
  @IsTypedPhone()
  readonly phone!: string;
}
