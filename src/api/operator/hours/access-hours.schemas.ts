import { tenant_id } from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { type DayHours, type Weekday, WEEKDAYS } from '#domain/locations/index.js';

const { date, instant, list, named, nullable, object, oneOf, says, text, whole } = schema;

export const TIME_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
const TIME: schema.Schema<string> = { type: 'string', pattern: TIME_PATTERN };

export const DAY_HOURS: schema.Schema<DayHours> = {
  anyOf: [
    oneOf(['always', 'closed']),
    {
      ...named(
        'DayWindow',
        object({
          open: says('Local time of opening.', TIME),
          close: says('Local time of closing. If it is not after `open`, it is on the next day.', TIME),
        }),
      ),
      additionalProperties: false,
    },
  ],
};

const NAMED_DAY_HOURS = named('DayHours', says('The hours that begin on a day.', DAY_HOURS));

export const WEEK = object(
  Object.fromEntries(WEEKDAYS.map((day) => [day, NAMED_DAY_HOURS])) as Record<
    Weekday,
    typeof NAMED_DAY_HOURS
  >,
);

export const ACCESS_HOURS = says(
  'When the gates of the location are open, in its time zone. Null: always.',
  nullable(
    named(
      'AccessHours',
      object({
        week: says('The hours of each day of the week.', WEEK),
        exceptions: says(
          'Dates with hours of their own, by date.',
          list(
            named(
              'HoursException',
              object(
                {
                  date: says('The date.', date),
                  hours: NAMED_DAY_HOURS,
                },
                { name: says('The name of the day. Left out if it has none.', text) },
              ),
            ),
          ),
        ),
        exit_grace_minutes: says('Minutes to leave after closing: until then a gate still opens.', whole),
      }),
    ),
  ),
);

export const TAPS_OUTSIDE_HOURS = says(
  'Tenants who opened entry points in the last 14 days when the new hours would have been closed and those of now were not, those with the most first. Of each entry point the newest 2,000 reports count. Left out: no hours were given.',
  list(
    named(
      'TenantOutsideHours',
      object({
        tenant_id,
        taps: says('How often.', whole),
        last_at: says('Instant of the newest of them.', instant),
      }),
    ),
  ),
);
