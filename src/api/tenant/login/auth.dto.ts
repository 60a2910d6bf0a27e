import { IsString, MaxLength, ValidateIf } from 'class-validator';
import { IsDigits, Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';

/** A phone number as apps send it (specification §4.2). */
export class PhoneNumber {
  @Says('Calling code without +, 1 to 3 digits.')
  @IsDigits({ min: 1, max: 3 })
  country_code!: string;
  @Says('The number without the calling code, 7 to 15 digits.')
  @IsDigits({ min: 7, max: 15 })
  phone_number!: string;
}

export class OtpVerification extends PhoneNumber {
  @Says('The six digits of the message. A code holds for 5 minutes, for one login and for 5 wrong tries.')
  @IsDigits({ min: 6, max: 6 })
  otp!: string;
  @Says(
    'The account to sign in to. Left out: the only one; several are answered as a choice. An account of another phone is refused.',
  )
  @ValidateIf(isGiven)
  @IsString()
  @MaxLength(LONGEST_TEXT)
  tenant_id?: string;
}

/** The international format of accounts. */
export function internationalPhone({ country_code, phone_number }: PhoneNumber): string {
  return `+${country_code}${phone_number}`;
}
