import {
  ACCESS_SCHEMA,
  checkOf,
  checksOf,
  DECIDED_SCHEMA,
  LOOKED_AT,
  LOOKED_AT_UNIT,
  POLICY_SCHEMA,
  REASON,
  STATE,
  UNIT_AS_OF_SCHEMA,
  UNIT_ENTRY_POINTS_SCHEMA,
} from '#api/shapes/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { ACTIVITY_EVENTS, ACTIVITY_RESULTS } from '#domain/locks/index.js';
import { DAMAGE_CAUSES } from '#eventsourcing/log/damaged-streams.js';
import { PASS_EVENT_TYPES, PASS_REASONS } from '#domain/passes/index.js';
import { LOCATION_EVENT_TYPES } from '#domain/locations/index.js';
import { UNIT_EVENT_TYPES } from '#domain/units/index.js';
import { describeFedFields, FED_TYPES } from '#domain/history/index.js';

const { crm_unit_id, entry_point_id, location_id, lock_id, pass_id, tenant_id, unit_id, unit_name } = field;
const { extended, flag, id, instant, list, named, next_cursor, nullable, number, object } = schema;
const { oneOf, page, recordOf, says, text, whole } = schema;

const ACTOR = says(
  'The caller that caused it.',
  named(
    'Actor',
    object({
      kind: says(
        'Kind of the caller.',
        named('ActorKind', oneOf(['api_token', 'operator', 'pull', 'tenant', 'system'])),
      ),
      id: says(
        'Identifier of the token, operator, pull source or tenant. For `system`, the kind of `cause` or the part of the service.',
        text,
      ),
      name: says(
        "Name at the time of the read. With an API token it is null for an operator, because it is the operator's e-mail address. Null also for `system` and for what was removed or erased.",
        nullable(text),
      ),
    }),
  ),
);

export const EVENT_TYPE_SCHEMA = says('Type of the event.', named('EventType', oneOf(FED_TYPES)));

const OCCURRED_AT = says('Instant at which it happened.', instant);

/** Members of a stored event. A computed change has none of them. */
const EVENT = {
  revision: says('Number of the event in its stream, from 0.', whole),
  occurred_at: OCCURRED_AT,
  actor: ACTOR,
  command_id: says('Identifier of the command that wrote it.', text),
  request_id: says('The `X-Request-Id` of the request that wrote it.', text),
};

const PERSON_THEN = {
  tenant_id,
  pms_tenant_id: says('The identifier that the PMS gave the tenant.', text),
  name: says('The name of now. Null if it is not known or was erased.', nullable(text)),
  erased_at: says('When the personal details were erased. Null if they were not.', nullable(instant)),
};

export const PASSES_THEN = says(
  'Passes that opened it at that instant, by their terms of then.',
  list(
    named(
      'PassThen',
      object({
        pass_id,
        tenant_id: says('The account of the holder of then.', id),
        name: says('The name of now. Null if it was erased.', nullable(text)),
        reason: says('What it was for.', oneOf(PASS_REASONS)),
        from: says('Instant from which it opened.', instant),
        until: says('Instant at which it was to end by itself.', instant),
      }),
    ),
  ),
);

/** Events of a location that concern an entry point, its hours or its time zone. */
const ENTRY_POINT_TYPES = Object.keys(LOCATION_EVENT_TYPES).filter(
  (type) =>
    type.startsWith('EntryPoint') ||
    ['LocationHoursChanged', 'LocationPolicyChanged', 'ZoneRemoved'].includes(type),
);

/** Operators also see who could open the unit. */
export const OPERATOR_UNIT_AS_OF_SCHEMA = named(
  'OperatorUnitAsOf',
  extended(UNIT_AS_OF_SCHEMA, {
    tenant: says(
      'The tenant of that instant. Null if nobody rented the unit.',
      nullable(object(PERSON_THEN)),
    ),
    shares: says(
      'Who shared the unit at that instant. They could open it if it was permitted.',
      list(
        object({
          ...PERSON_THEN,
          until: says('When the share was to end by itself. Null: it had no end.', nullable(instant)),
        }),
      ),
    ),
    passes: PASSES_THEN,
  }),
);

const ENTRY_POINT_PERSON = {
  tenant_id,
  name: says('The name of now. Null if it is not known or was erased.', nullable(text)),
  opens: says('Whether it opened for this person.', flag),
  denial: says(
    'Why it did not open: `out_of_service`, `units_denied` or `outside_hours`. Null if it opened.',
    nullable(oneOf(['out_of_service', 'units_denied', 'outside_hours'])),
  ),
  opens_at: says(
    'Instant at which it was to open. Null if it was open, was never to open, or if hours were not the reason.',
    nullable(instant),
  ),
};

const UNIT_OF_PERSON_THEN = {
  unit_id,
  unit_name,
  access: says('The access of the unit then.', DECIDED_SCHEMA),
};

const PERSON_THEN_AT_ENTRY_POINT = schema.either(
  'PersonAtEntryPointThen',
  named(
    'TenantAtEntryPointThen',
    object({
      kind: says('The tenant of a unit in its zones.', oneOf(['tenant'])),
      ...ENTRY_POINT_PERSON,
      ...UNIT_OF_PERSON_THEN,
    }),
  ),
  named(
    'SharerAtEntryPointThen',
    object({
      kind: says('Somebody with whom such a unit was shared.', oneOf(['share'])),
      ...ENTRY_POINT_PERSON,
      ...UNIT_OF_PERSON_THEN,
      until: says('When the share was to end by itself. Null: it had no end.', nullable(instant)),
    }),
  ),
  named(
    'PassHolderAtEntryPointThen',
    object({
      kind: says('The holder of a pass in force.', oneOf(['pass'])),
      ...ENTRY_POINT_PERSON,
      pass_id,
      reason: says('What the pass was for.', oneOf(PASS_REASONS)),
      from: says('Instant from which the pass opened.', instant),
      until: says('Instant at which the pass was to end by itself.', instant),
    }),
  ),
);

export const ENTRY_POINT_AS_OF_SCHEMA = named(
  'EntryPointAsOf',
  object({
    at: says('The instant that was asked for.', instant),
    entry_point_id,
    name: says('The name of then.', text),
    kind: field.kind,
    in_service: says('Whether it was in service.', flag),
    people: says(
      'Holders of passes on the first page, then tenants and shares by unit. Who had several units is listed for each, by what that unit alone opened.',
      list(PERSON_THEN_AT_ENTRY_POINT),
    ),
    next_cursor,
  }),
);

/** The schema allows any value: generated clients for "text or list" cannot read an empty list. */
const changed = (which: string) =>
  says(`${which} A text, a number, true or false, a list of tenants, or null if there was none.`, {});

const CAUSE = says(
  'Present if no write caused it.',
  object(
    {
      kind: says(
        '`calendar`: a date passed. `unit`: another unit of the tenant. `policy`: a change of policy.',
        oneOf(['calendar', 'unit', 'policy']),
      ),
    },
    { unit_id, crm_unit_id, location_id, revision: says('Revision of that unit or location.', whole) },
  ),
);

/** When an entry happened, and who wrote it. */
const WRITTEN = {
  occurred_at: OCCURRED_AT,
  actor: ACTOR,
  command_id: says(
    'Identifier of the command that wrote it. Null for a change that nobody wrote.',
    nullable(text),
  ),
  request_id: says(
    'The `X-Request-Id` of the request that wrote it. Null for a change that nobody wrote.',
    nullable(text),
  ),
};

const ENTRY = named(
  'HistoryEntry',
  object(
    {
      revision: says(
        'Number of the event in its stream, from 0. It grows with every event. Null if no event is the cause.',
        nullable(whole),
      ),
      type: says(
        'Type of the event. `AccessChanged` is computed and has no revision. So are `UnitShareEnded` and `PassEnded` where a share or a pass has ended by itself. Events of passes are of other streams: they have no revision here.',
        named(
          'HistoryEntryType',
          oneOf([...Object.keys(UNIT_EVENT_TYPES), ...Object.keys(PASS_EVENT_TYPES), 'AccessChanged']),
        ),
      ),
      ...WRITTEN,
      changes: says(
        'The fields that changed, by name.',
        recordOf(object({ from: changed('The value before.'), to: changed('The value after.') })),
      ),
      hash: says('SHA-256 of the event and of the one before it. Null for what is computed.', nullable(text)),
    },
    {
      access: says(
        'The decision before and after. Present only if it changed.',
        object({
          from: says('The decision before. Null for the first one.', nullable(DECIDED_SCHEMA)),
          to: says('The decision after.', DECIDED_SCHEMA),
        }),
      ),
      cause: CAUSE,
      pass_id: says('The pass that it is about. Left out: it is about none.', id),
    },
  ),
);

const ENTRY_POINT_ENTRY = named(
  'EntryPointHistoryEntry',
  object(
    {
      revision: says(
        'Number of the event in the stream of the location, from 0. Null for a pass, whose events are of another stream.',
        nullable(whole),
      ),
      type: says(
        'Type of the event. `PassEnded` is computed where a pass has ended by itself.',
        named('EntryPointHistoryEntryType', oneOf([...ENTRY_POINT_TYPES, ...Object.keys(PASS_EVENT_TYPES)])),
      ),
      ...WRITTEN,
      changes: says(
        'The fields that changed, by name. `access_hours` and `pass_hours` are JSON.',
        recordOf(object({ from: changed('The value before.'), to: changed('The value after.') })),
      ),
      hash: says('SHA-256 of the event and of the one before it. Null for what is computed.', nullable(text)),
    },
    {
      cause: CAUSE,
      pass_id: says('The pass that it is about. Left out: it is about none.', id),
    },
  ),
);

export const ENTRY_POINT_HISTORY_SCHEMA = named('EntryPointHistory', page('entries', ENTRY_POINT_ENTRY));

const DAMAGE = object({
  revision: says('The first revision that is not sound. What was before it stands in `entries`.', whole),
  cause: says(
    '`foreign_event`: an event stands there that this service did not write. `deleted`, `shortened`: the events, or the first of them, were deleted.',
    oneOf(DAMAGE_CAUSES),
  ),
});

export const HISTORY_SCHEMA = named(
  'History',
  object({
    entries: says('The entries of the page.', list(ENTRY)),
    next_cursor,
    damage: says(
      'Set if somebody damaged the stored events of the unit: the history ends there, and writes are refused with `history_damaged`.',
      nullable(DAMAGE),
    ),
  }),
);

export const LOCKED_OUT_SINCE = says(
  'Instant since which the unit is known to be locked out, counted anew each 15 minutes. For a unit that was moved in or imported locked out it is that instant. Null if more than 14 days ago. Left out: not locked out, or not counted yet.',
  nullable(instant),
);

const REPORT = {
  log_id: says("The service's identifier of the report.", id),
  event: says('What happened.', oneOf(ACTIVITY_EVENTS)),
  result: says('Whether it worked.', oneOf(ACTIVITY_RESULTS)),
  failure_code: says("The app's code of the failure. Null if it did not fail.", nullable(text)),
  occurred_at: OCCURRED_AT,
  recorded_at: says('Instant at which the service recorded it.', instant),
  tenant_id,
  message: says("The tenant's note. Null if there is none or the tenant was erased.", nullable(text)),
};

/** A report has the members of a lock or those of an entry point. */
const PLACE = {
  pass_id: says('The pass whose key the person had at that instant. Left out: a unit gave the right.', id),
  lock_id,
  lock_name: says('Name of the lock. Null if it is not known.', nullable(text)),
  entry_point_id,
  entry_point_name: says('Name of the entry point. Null if it is not known.', nullable(text)),
};

export const DENIED_UNITS = says(
  "The tenant's units that an opening led to, if none of them was open at that instant. Left out: none.",
  list(
    named(
      'DeniedThen',
      object({ unit_id: field.unit_id, unit_name: field.unit_name, state: STATE, reason: REASON }),
    ),
  ),
);

/** The report as an integrator sees it. */
export const ACTIVITY_SCHEMA = named(
  'ActivityPage',
  page('entries', named('ActivityEntry', object(REPORT, PLACE))),
);
/** The report as an operator sees it. */
export const OPERATOR_ACTIVITY_SCHEMA = named(
  'OperatorActivityPage',
  page(
    'entries',
    named(
      'OperatorActivityEntry',
      object(REPORT, {
        ...PLACE,
        unit_id: says('The unit that the lock was on. Null if it was on none.', nullable(id)),
        battery_percent: says(
          'Charge of the battery in percent, 0 to 100. Null if it was not reported.',
          nullable(number),
        ),
        denied_units: DENIED_UNITS,
        outside_hours: says(
          'True if the entry point was outside of its hours at that instant, in the time to leave too. Left out: it was not.',
          flag,
        ),
      }),
    ),
  ),
);

const DENIED_TENANTS = named(
  'DeniedTenants',
  object({
    actual: says('With the policies as they were.', whole),
    proposed: says('With the policy that was tried.', whole),
  }),
);

const TOTALS = named(
  'BacktestTotals',
  object({
    complete: says(
      'Whether all units of the location were tried. False where the bounds of one answer (50,000 events, 5 s) ended first: the totals are of its first units then, and the pages go on to the others.',
      flag,
    ),
    units: says('Units that were tried.', whole),
    not_tried: says('Units with too many events to be tried.', whole),
    changes: says('Spans of time in which a unit would have been decided otherwise.', whole),
    units_denied: says('Units that would have been denied when they were permitted.', whole),
    units_spared: says('Units that would have been permitted when they were denied.', whole),
    tenants_denied: says('Tenants who were denied at any time.', DENIED_TENANTS),
    tenants_locked_out: says('Tenants among them who were denied after their leases began.', DENIED_TENANTS),
  }),
);

const KEY = { unit_id, crm_unit_id, unit_name };

export const BACKTEST_SCHEMA = named(
  'Backtest',
  object({
    from: says(
      'Start of the time that was tried: the first event of the location, if that is later than asked for.',
      instant,
    ),
    until: says('End of the time that was tried, exclusive.', instant),
    policy: says('The policy that was tried.', POLICY_SCHEMA),
    totals: says('Over all units, whatever this page tells. Null on a later page.', nullable(TOTALS)),
    changes: says(
      'Spans of time in which the policy would have decided otherwise: a page of them, by unit.',
      list(
        object({
          ...KEY,
          tenant_id: says('The tenant of the unit then. Null if it was vacant.', nullable(id)),
          effect: says(
            '`denied`: would have lost access. `spared`: would have kept it.',
            oneOf(['denied', 'spared']),
          ),
          from: says('Instant from which the policies decide differently.', instant),
          until: says('End of the span, exclusive. Null if it has no end yet.', nullable(instant)),
          actual: says('The decision as it was.', DECIDED_SCHEMA),
          proposed: says('The decision as it would have been.', DECIDED_SCHEMA),
        }),
      ),
    ),
    not_tried: says('Units among those of this page with too many events to be tried.', list(object(KEY))),
    next_cursor,
  }),
);

const SET_BY = object({ type: EVENT_TYPE_SCHEMA, ...EVENT });

export const EXPLANATION_SCHEMA = named(
  'Explanation',
  schema.extended(ACCESS_SCHEMA, {
    unit_id,
    crm_unit_id,
    entry_points: UNIT_ENTRY_POINTS_SCHEMA,
    decided_by: says('Name of the check that decided.', text),
    checks: checksOf(
      checkOf(
        object(
          {
            ...LOOKED_AT,
            set_by: says(
              'The event that set the value. Null for a default, and for what the calendar gives.',
              nullable(SET_BY),
            ),
          },
          LOOKED_AT_UNIT,
        ),
      ),
    ),
  }),
);

/** The kinds of things that events of the feed are about, and their identifiers. */
export const FED_SUBJECTS = ['unit', 'location', 'tenant', 'lock', 'entry_point', 'pass'] as const;
export const FED_SUBJECT_IDS = {
  unit_id,
  crm_unit_id,
  location_id,
  tenant_id,
  lock_id,
  entry_point_id,
  pass_id,
};

export const FED_EVENT_SCHEMA = named(
  'FedEvent',
  object({
    id: says('Position of the event. Use it as `after`.', text),
    type: EVENT_TYPE_SCHEMA,
    subject: says(
      'What the event is about.',
      object(
        {
          kind: says('What it is. The identifiers beside it name it.', oneOf(FED_SUBJECTS)),
        },
        FED_SUBJECT_IDS,
      ),
    ),
    ...EVENT,
    revision: says(
      'Number of the event in its stream, from 0. Null for `AccessChanged`, which no write of the unit is.',
      nullable(whole),
    ),
    data: says(`The fields of the event, by its type. ${describeFedFields()}`, {
      type: 'object',
      additionalProperties: true,
    }),
  }),
);

export const FEED_SCHEMA = named(
  'EventPage',
  object({
    events: says('The events of this page, oldest first.', list(FED_EVENT_SCHEMA)),
    next_after: says(
      'Position for the next request (`after`). Keep it. A page may be short, even empty: follow it until it stays the same. Null while there is no event at all.',
      nullable(text),
    ),
  }),
);
