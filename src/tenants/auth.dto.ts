import { IsString, MaxLength, ValidateIf } from 'class-validator';
import { IsDigits, isGiven, LONGEST_TEXT } from '../http/index.js';

/** A phone number as the app asks for it (specification §4.2). */
export class PhoneNumber {
  @IsDigits({ min: 1, max: 3 }) country_code!: string;
  @IsDigits({ min: 7, max: 15 }) phone_number!: string;
}

export class OtpVerification extends PhoneNumber {
  @IsDigits({ min: 6, max: 6 }) otp!: string;
  @ValidateIf(isGiven) @IsString() @MaxLength(LONGEST_TEXT) tenant_id?: string;
}

/** International format, as accounts keep it. */
export function internationalPhone({ country_code, phone_number }: PhoneNumber): string {
  return `+${country_code}${phone_number}`;
}
