import { LOCATION_WITH_POLICY_SCHEMA, SANDBOX_MEMBERS } from '#api/shapes/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';

const { list, object, says, text, whole } = schema;

export const TOKEN_COMPANY_SCHEMA = schema.named(
  'TokenCompany',
  object({
    company_id: field.company_id,
    name: field.name,
    ...SANDBOX_MEMBERS,
    token: says('The token that asks.', object(field.API_TOKEN)),
    locations: says('All locations of the company.', list(LOCATION_WITH_POLICY_SCHEMA)),
    limits: says(
      'What the token may ask for.',
      object({
        units_per_bulk: says('Most entries of one bulk.', whole),
        requests: says(
          'The request limits, each counted for the company.',
          list(
            object({
              policy: says('Name of the limit, as in `RateLimit-Policy`.', text),
              limit: says('Most requests in a window.', whole),
              window_seconds: says('Length of the window in seconds.', whole),
            }),
          ),
        ),
      }),
    ),
  }),
);
