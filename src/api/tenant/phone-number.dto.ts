import { phoneOfCountry } from '#kernel/core/phone.js';
import { IsDigits, Says } from '#web/validation/decorators.js';

/** A phone number as apps send it (specification §4.2). */
export class PhoneNumber {
  @Says('Calling code without +, 1 to 3 digits.')
  @IsDigits({ min: 1, max: 3 })
  country_code!: string;
  @Says('The number without the calling code, 7 to 15 digits.')
  @IsDigits({ min: 7, max: 15 })
  phone_number!: string;
}

/** The international format of accounts. */
export function phoneIn({ country_code, phone_number }: PhoneNumber): string {
  return phoneOfCountry(country_code, phone_number);
}
