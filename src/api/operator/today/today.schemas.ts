import { BALANCE_DUE, REASON, REASON_SCHEMA } from '#api/shapes/index.js';
import {
  DENIED_UNITS,
  EVENT_TYPE_SCHEMA,
  FED_EVENT_SCHEMA,
  FED_SUBJECT_IDS,
  FED_SUBJECTS,
  LOCKED_OUT_SINCE,
} from '#api/history/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { ACTIVITY_EVENTS } from '#domain/locks/index.js';
import { PULL_LATE_SCHEMA } from '#pull/index.js';
import { REJECTED_BULK } from '../facility.schemas.js';
import { NOTICE_KINDS, NOTICE_OUTCOMES } from '#domain/notices/index.js';
import { describeFedFields } from '#domain/history/index.js';
import { DAMAGED_KINDS } from './damaged-histories.js';
import { describeStaffFields, STAFF_SUBJECTS, STAFF_TYPES } from './staff-kinds.js';

const { location_id, name, pull_source_id, tenant_id, token_id, unit_id, unit_name } = field;
const { flag, instant, list, nullable, number, named, object, oneOf, says, text, whole } = schema;

const UNITS = says('How many units.', whole);

const TENANT = {
  tenant_id,
  tenant_name: says("The tenant's name. Null if it is not known or was erased.", nullable(text)),
};

const UNSENT_TEXT = named(
  'UnsentText',
  object({
    notice_id: says('Identifies the text.', schema.id),
    kind: says('What it was about: a field of `notices` of the location.', oneOf(NOTICE_KINDS)),
    at: says("The instant of the try, by the company's clock.", instant),
    outcome: says('`failed`, `unknown` or `no_phone`.', oneOf(NOTICE_OUTCOMES)),
    ...TENANT,
    location_id,
  }),
);

/** A unit whose tenant is to be called. */
const TO_CALL = {
  unit_id,
  unit_name,
  location_id,
  ...TENANT,
  location_name: says('Name of the location.', text),
  phone: field.phone,
  balance_due: BALANCE_DUE,
  currency: field.currency,
  days_late: says('Whole days past `paid_through_date`. Null if there is no date.', nullable(whole)),
  last_refused_at: says(
    "Instant of the tenant's last refusal at a lock of such a unit or at a gate of the location. Null if there is none among their newest reports.",
    nullable(instant),
  ),
};

const CALL = {
  called_at: says('Instant of the call.', instant),
  called_by: says('E-mail of the operator who called. Null: removed since.', nullable(text)),
};

export const TENANT_CALLED_SCHEMA = named('TenantCalled', object({ tenant_id, ...CALL }));

const LOCKED_OUT_SCHEMA = schema.named(
  'LockedOutUnit',
  object(
    {
      ...TO_CALL,
      reason: REASON_SCHEMA,
      called: says(
        "The call of today. Null: none, or the access of one of the tenant's units has changed since.",
        nullable(named('Call', object(CALL))),
      ),
    },
    { locked_out_since: LOCKED_OUT_SINCE },
  ),
);

const DENIED_OPENING = named(
  'DeniedOpening',
  object(
    {
      log_id: says("The service's identifier of the report.", schema.id),
      occurred_at: says('Instant at which it was opened.', instant),
      recorded_at: says('Instant at which an app reported it.', instant),
      location_id,
      ...TENANT,
      name: says('Name of the lock or entry point. Null if it is gone.', nullable(text)),
      had_key: says(
        'Whether the tenant had a key to it that was given out before and had not expired.',
        flag,
      ),
      denied_units: DENIED_UNITS,
    },
    { lock_id: field.lock_id, entry_point_id: field.entry_point_id },
  ),
);

/** The lock or the entry point that was reported. */
const REPORTED = {
  location_id,
  name: says('Name of the lock or entry point. Null if it is gone.', nullable(text)),
  unit_id: says('The unit that the lock is on. Null: none, or an entry point.', nullable(schema.id)),
  unit_name: says('Name of that unit. Null without one.', nullable(text)),
};

const LOW_BATTERY_SCHEMA = named(
  'LowBattery',
  object(
    {
      ...REPORTED,
      battery_percent: says('Charge of the battery in percent.', number),
      reported_at: says('Instant of the report.', instant),
    },
    { lock_id: field.lock_id, entry_point_id: field.entry_point_id },
  ),
);

const FAILURE_SCHEMA = named(
  'Failure',
  object(
    {
      ...REPORTED,
      event: says('What failed.', oneOf(ACTIVITY_EVENTS)),
      failure_code: says("The app's code of the failure. Null if it gave none.", nullable(text)),
      occurred_at: says('Instant of the failure.', instant),
      recorded_at: says('Instant at which an app reported it.', instant),
    },
    { lock_id: field.lock_id, entry_point_id: field.entry_point_id },
  ),
);

const OWED_BY_CURRENCY = says(
  'What they owe together, in each currency.',
  list(
    named('OwedInCurrency', object({ currency: field.currency, owed: says('At most 2 decimals.', number) })),
  ),
);

const LAST_DAY = named(
  'LastDay',
  object({
    date: says('Local date at the location.', schema.date),
    tenants: says('Tenants who were locked out when it ended; of today: when it was counted.', whole),
    owed_by_currency: OWED_BY_CURRENCY,
    openings: says('Openings of locks and entry points that happened on it.', whole),
    refusals: says('Refusals of locks and entry points. One that failed is none.', whole),
    denied_openings: says('Those of the openings whose tenant was denied at that instant.', whole),
  }),
);

export const TODAY_SCHEMA = schema.named(
  'Today',
  object({
    at: says('The instant that the answer describes.', instant),
    changes: says(
      'What happened in the last 24 hours.',
      object({
        since: says('Instant from which on events are counted.', instant),
        by_type: says(
          'Counts by type of event.',
          list(object({ type: EVENT_TYPE_SCHEMA, events: says('How many events.', whole) })),
        ),
      }),
    ),
    lost_access: says(
      'Units that lost access on each of the last days. Units that were locked out from their move-in are left out. It is counted anew each 15 minutes.',
      object({
        days: says('How many days before today.', whole),
        counted_at: says(
          'Instant up to which all locations are counted. Null before the first count.',
          nullable(instant),
        ),
        dates: says(
          'The days on which a unit did, today among them.',
          list(object({ date: says('Local date at the location.', schema.date), units: UNITS })),
        ),
      }),
    ),
    last_days: says(
      'Figures of each of the last days. They are counted anew each 15 minutes.',
      object({
        days: says('How many days before today.', whole),
        counted_at: says(
          'Instant up to which all locations are counted. Null before the first count.',
          nullable(instant),
        ),
        dates: says('The days with a figure other than 0, today among them.', list(LAST_DAY)),
      }),
    ),
    losing_access: says(
      'Units that lose access in the coming days.',
      object({
        days: says('How many days, from today.', whole),
        locations: says(
          'The locations where a unit does.',
          list(object({ location_id, name, units: UNITS })),
        ),
        dates: says(
          'The days on which a unit does.',
          list(object({ date: says('Local date at the location.', schema.date), units: UNITS })),
        ),
      }),
    ),
    denied: says('Denied units, by reason.', list(object({ reason: REASON_SCHEMA, units: UNITS }))),
    locked_out: says(
      'Units that are denied for a debt or a lockout, without those of `future_move_in`.',
      object({
        tenants: says('How many tenants.', whole),
        units: UNITS,
        called_units: says('How many of these units are of tenants who were called.', whole),
        locations: says(
          'How many units of each location, and what is owed on them.',
          list(
            object({
              location_id,
              name,
              units: UNITS,
              owed: says('In the currency of the location, at most 2 decimals.', number),
            }),
          ),
        ),
        owed: says(
          'What they owe together, at most 2 decimals. It says nothing if the locations have several currencies.',
          number,
        ),
        owed_by_currency: OWED_BY_CURRENCY,
        first: says(
          'The first of them: those of tenants who were called last, the most owed first.',
          list(LOCKED_OUT_SCHEMA),
        ),
        next_skip: says('`skip` for the units that follow these. Null at the end.', nullable(whole)),
      }),
    ),
    unsent_texts: says(
      'Texts to tenants that did not go out for sure.',
      object({
        days: says('The days back from now that are told.', whole),
        texts: says('How many, at most 200 for each location.', whole),
        first: says('The newest of them.', list(UNSENT_TEXT)),
      }),
    ),
    in_auction: says(
      'Units in auction. At most 500 that nobody rents are counted at each location.',
      object({
        units: UNITS,
        first: says(
          'Those that are rented, the most owed first.',
          list(named('AuctionUnit', object({ ...TO_CALL, reason: REASON }))),
        ),
      }),
    ),
    denied_openings: says(
      'Openings in the last 24 hours by tenants whose units were denied at that instant, among the newest 500 reports since `changes.since`.',
      object({
        openings: says('How many.', whole),
        tenants: says('By how many tenants.', whole),
        first: says('The newest of them.', list(DENIED_OPENING)),
      }),
    ),
    low_batteries: says(
      'Locks on units and entry points whose last reported charge is below 20 %.',
      object({
        batteries: says('How many.', whole),
        first: says('The first of them, the lowest first.', list(LOW_BATTERY_SCHEMA)),
      }),
    ),
    failures: says(
      'The newest failure of each lock and entry point that was reported in the last 24 hours. A correct refusal is no failure.',
      object({
        failed: says('How many locks and entry points.', whole),
        first: says('The newest of them.', list(FAILURE_SCHEMA)),
      }),
    ),
    troubled_pull_sources: says(
      'Pull sources that are late, failed or refused rows.',
      list(
        object({
          pull_source_id,
          name,
          late: PULL_LATE_SCHEMA,
          last_run_at: says('End of the last run that has ended. Null if there is none.', nullable(instant)),
          last_run_failed: says('True if this run failed.', flag),
          last_run_errors: says('Rows that this run refused.', whole),
          last_run_total: says('Rows that this run read.', whole),
          reasons: says('Why this run failed, and the first reasons for refused rows.', list(text)),
        }),
      ),
    ),
    silent_tokens: says(
      'Tokens that used to write and stopped.',
      list(object({ token_id, name, last_used_at: says('Instant of the last use.', instant) })),
    ),
    rejected_bulks: says(
      'For each valid token: its last bulk of the last 24 hours with rejected rows, or refused as a whole. An operator of some locations reads, for each of them, the last bulk with rejected rows there: of units of that location, and of unknown units whose `pms_location_code` names it. `total` and the counts are of these rows alone. Rows whose location is not known are told only to operators of the whole company.',
      list(object({ token_id, name, ...REJECTED_BULK })),
    ),
    damaged_histories: says(
      'Things whose stored events somebody damaged. They are judged by what was stored before, and writes to them are refused with `history_damaged`.',
      list(
        named(
          'DamagedHistory',
          object({
            kind: says('What it is.', oneOf(DAMAGED_KINDS)),
            id: says('Its identifier.', schema.id),
            name: says('Its name. Null if it is not known.', nullable(text)),
            revision: says('The first revision of its events that is not sound.', whole),
          }),
        ),
      ),
    ),
  }),
);
export type Today = schema.AnswerOf<typeof TODAY_SCHEMA>;

const DATA_BEFORE = says(
  'What the fields of `data` were before a change of a setting of a location: its hours, policy, contact, texts, name, payment link, currency, or sharing by tenants. Absent for other events, and where that lies too far back.',
  { type: 'object', additionalProperties: true },
);

/** As in the feed, and what concerns companies as a whole. */
const CHANGE_SUBJECT = says(
  'What the event is about.',
  object(
    {
      kind: says(
        'What it is. The identifiers beside it name it.',
        oneOf([...FED_SUBJECTS, ...STAFF_SUBJECTS]),
      ),
    },
    {
      ...FED_SUBJECT_IDS,
      company_id: field.company_id,
      token_id,
      pull_source_id,
      webhook_id: says('Identifier of the webhook.', schema.id),
      operator_id: says('Identifier of the operator.', schema.id),
    },
  ),
);

export const CHANGES_SCHEMA = named(
  'RecentChanges',
  schema.extended(
    schema.page(
      'events',
      named(
        'RecentChange',
        schema.extended(
          FED_EVENT_SCHEMA,
          {
            type: says('Type of the event.', named('ChangeType', oneOf(STAFF_TYPES))),
            subject: CHANGE_SUBJECT,
            data: says(
              `The fields of the event, by its type. ${describeFedFields()} Of staff alone: ${describeStaffFields()}`,
              { type: 'object', additionalProperties: true },
            ),
          },
          { denied_units: DENIED_UNITS, before: DATA_BEFORE },
        ),
      ),
    ),
    {
      since: says('Instant from which on events are listed.', instant),
    },
  ),
);
