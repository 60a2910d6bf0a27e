import * as schema from '#web/openapi/schemas.js';

const { nullable, named, object, says, text } = schema;

/** The parts of a contact that everybody with a unit sees. */
export const REACHED = {
  phone: says('International format with a leading +. Null if nobody has set it.', nullable(text)),
  email: says('E-mail address. Null if nobody has set it.', nullable(text)),
  address: says('The address in one line. Null if nobody has set it.', nullable(text)),
};

export const CONTACT = says(
  'How tenants reach the location, and where they pay.',
  named(
    'Contact',
    object({
      ...REACHED,
      payment_url: says(
        'Where tenants pay, with its placeholders. Null if nobody has set it.',
        nullable(text),
      ),
    }),
  ),
);
