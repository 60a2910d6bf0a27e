import { IsString, Length } from 'class-validator';
import { Example, IsDigits, IsName, IsNationalPhone, IsTimestamp, Says } from '#web/validation/decorators.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';

export class NewShareBody {
  @Says('Calling code without +, 1 to 3 digits.')
  @IsDigits({ min: 1, max: 3 })
  country_code!: string;
  @Says(
    'The number without the calling code, as people type it: `(312) 555-0142` or `3125550142`. One with +, or with 00 or 011 beside the calling code 1, names its own country.',
  )
  @Example('3125550142')
  @IsNationalPhone()
  phone_number!: string;
  @Says('A unit that the tenant rents.')
  @IsString()
  @Length(1, LONGEST_TEXT)
  unit_id!: string;
  @Says(
    'Name of the person, as the tenant will read it. Text of 1 to 255 characters, none of them invisible.',
  )
  @IsName()
  name!: string;
  @Says('Instant at which the share ends by itself, in the future and at most 90 days ahead.')
  @IsTimestamp()
  until!: string;
}

export class AcceptanceBody {
  @Says('The six digits that the tenant has told. Five wrong ones close the invitation.')
  @Example('271828')
  @IsDigits({ min: 6, max: 6 })
  code!: string;
}
