import { IsString, MaxLength, ValidateIf } from 'class-validator';
import { IsDigits, Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import { PhoneNumber } from '../phone-number.dto.js';

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
