import { internationalPhone } from '#kernel/core/phone.js';
import { type FormValues, lastOf } from '../page/page.js';

/** A form with its field `phone` in international format, however it was typed. */
export function withInternationalPhone(form: FormValues): FormValues {
  const phone = lastOf(form['phone']);
  return phone === undefined ? form : { ...form, phone: internationalPhone(phone) };
}
