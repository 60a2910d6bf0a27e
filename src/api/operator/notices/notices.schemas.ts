import { NOTICE_KINDS, NOTICE_OUTCOMES } from '#domain/notices/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';

const { flag, id, instant, list, named, nullable, object, oneOf, says, text, whole } = schema;

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

const NOTICE_SCHEMA = named(
  'TenantNotice',
  object({
    notice_id: says('Identifies the text, in `TenantNotified` too.', id),
    kind: says('What it was about: a field of `notices` of the location.', oneOf(NOTICE_KINDS)),
    at: says("The instant of sending, by the company's clock.", instant),
    outcome: says(
      '`sent`: the SMS provider has taken it. `failed`: the provider has refused it. `unknown`: its answer was lost, and the text is not sent again. `no_phone`: the tenant has none.',
      oneOf(NOTICE_OUTCOMES),
    ),
    text: says('Null if there was none, or if the tenant was erased.', nullable(text)),
    tenant_id: field.tenant_id,
    location_id: field.location_id,
    unit_ids: says('The units that it was about.', list(id)),
  }),
);

export const TENANT_NOTICES_SCHEMA = named(
  'TenantNoticePage',
  object({
    notices: says('The texts of this page, newest first.', list(NOTICE_SCHEMA)),
    next_cursor: schema.next_cursor,
  }),
);

export const NOTICE_PREVIEW_SCHEMA = named(
  'NoticePreview',
  object({
    notices: NOTICES,
    days: says('The days back from now over which `tenants` is counted.', whole),
    texts: says(
      'Every text, also one that is off.',
      list(
        object({
          kind: says('The field of `notices` that it belongs to.', oneOf(NOTICE_KINDS)),
          text: says('The text for a unit that is made up.', text),
          tenants: says(
            'How many tenants would have got it, by the announced changes of access. For `closes_in_days` those whose unit was closed by the calendar.',
            whole,
          ),
        }),
      ),
    ),
  }),
);
