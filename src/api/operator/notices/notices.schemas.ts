import * as schema from '#web/openapi/schemas.js';

const { flag, named, nullable, object, says, whole } = schema;

export const NOTICES = says(
  'Which texts its tenants get (decisions §11). All are off until they are switched on.',
  named(
    'LocationNotices',
    object({
      welcome: says('True: a text to a tenant who has moved in.', flag),
      closes_in_days: says(
        'A text so many local days before a unit closes, 1 to 14. Null: none.',
        nullable(whole),
      ),
      closed: says('True: a text when a unit has closed.', flag),
      opened: says('True: a text when a unit that had closed is open again.', flag),
    }),
  ),
);
