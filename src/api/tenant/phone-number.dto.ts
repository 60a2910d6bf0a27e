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

/** With the 1 that people dial before it: no number of North America begins with 1. */
const DIALLED_WITH_ONE = /^1(\d{10})$/;

/** The international format of accounts. */
export function internationalPhone({ country_code, phone_number }: PhoneNumber): string {
  const number = country_code === '1' ? phone_number.replace(DIALLED_WITH_ONE, '$1') : phone_number;
  return `+${country_code}${number}`;
}
