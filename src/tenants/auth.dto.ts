import { IsDigits, IsText, Optional, Required } from '../http/index.js';

/** A phone number as the app asks for it (specification §4.2). */
export class PhoneNumber {
  @Required() @IsDigits({ min: 1, max: 3 }) country_code!: string;
  @Required() @IsDigits({ min: 7, max: 15 }) phone_number!: string;
}

export class OtpVerification extends PhoneNumber {
  @Required() @IsDigits({ min: 6, max: 6 }) otp!: string;
  @Optional() @IsText() tenant_id?: string;
}

/** International format, as accounts keep it. */
export function internationalPhone({ country_code, phone_number }: PhoneNumber): string {
  return `+${country_code}${phone_number}`;
}
