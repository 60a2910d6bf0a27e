import { ACCESS_SCHEMA, DECIDED_SCHEMA, POLICY_SCHEMA, REASON, STATE } from '../access/index.js';
import { type JsonSchema, schema } from '../http/index.js';
import { ACTIVITY_EVENTS, ACTIVITY_RESULTS } from '../locks/index.js';
import { FED_TYPES } from './feed/event-feed.js';

const {
  amount,
  flag,
  id,
  instant,
  list,
  named,
  nullable,
  object,
  oneOf,
  page,
  recordOf,
  scalar,
  text,
  whole,
} = schema;

const ACTOR = object(
  {
    kind: named('ActorKind', oneOf(['api_token', 'operator', 'pull', 'tenant', 'system'])),
    id: text,
    name: nullable(text),
  },
  {},
  'Actor',
);

/** A fact, or the tenants who share a unit. */
const CHANGED = { title: 'ChangedValue', anyOf: [scalar, list(text)] };

const ENTRY = object(
  {
    revision: nullable(whole),
    type: text,
    occurred_at: instant,
    actor: ACTOR,
    command_id: nullable(text),
    request_id: nullable(text),
    changes: recordOf(object({ from: CHANGED, to: CHANGED })),
    hash: nullable(text),
  },
  {
    access: object({ from: nullable(DECIDED_SCHEMA), to: DECIDED_SCHEMA }),
    cause: object(
      { kind: oneOf(['calendar', 'unit', 'policy']) },
      { unit_id: id, crm_unit_id: text, location_id: id, revision: whole },
    ),
  },
  'HistoryEntry',
);

export const HISTORY_SCHEMA = named('History', page('entries', ENTRY));

const REPORT = {
  log_id: id,
  event: oneOf(ACTIVITY_EVENTS),
  result: oneOf(ACTIVITY_RESULTS),
  failure_code: nullable(text),
  occurred_at: instant,
  recorded_at: instant,
  tenant_id: id,
  message: nullable(text),
};

const PLACE = {
  lock_id: id,
  lock_name: nullable(text),
  entry_point_id: id,
  entry_point_name: nullable(text),
};

/** The report as an integrator sees it. */
export const ACTIVITY_SCHEMA = named('ActivityPage', page('entries', object(REPORT, PLACE, 'ActivityEntry')));
/** The report as an operator sees it. */
export const OPERATOR_ACTIVITY_SCHEMA = named(
  'OperatorActivityPage',
  page(
    'entries',
    object(
      REPORT,
      { ...PLACE, unit_id: nullable(id), battery_percent: nullable(amount) },
      'OperatorActivityEntry',
    ),
  ),
);

const told = (description: string, one: JsonSchema = whole): JsonSchema => ({ ...one, description });

const TOTALS = object(
  {
    complete: told(
      'Whether all units of the location were tried. False where the bounds of one answer (50,000 events, 5 s) ended first: the totals are of its first units then, and the pages go on to the others.',
      flag,
    ),
    units: told('Units that were tried.'),
    not_tried: told('Units with too many events to be tried.'),
    changes: told('Spans of time in which a unit would have been decided otherwise.'),
    units_denied: told('Units that would have been denied when they were permitted.'),
    units_spared: told('Units that would have been permitted when they were denied.'),
    tenants_denied: told(
      'Tenants who were denied at any time.',
      object({ actual: told('As it was.'), proposed: told('As it would have been.') }, {}, 'DeniedTenants'),
    ),
  },
  {},
  'BacktestTotals',
);

/** The tenants who would have been denied or spared under another policy. */
export const BACKTEST_SCHEMA = named(
  'Backtest',
  object({
    from: instant,
    until: instant,
    policy: POLICY_SCHEMA,
    totals: told('Over all units, whatever this page tells. Null on a later page.', nullable(TOTALS)),
    changes: list(
      object({
        unit_id: id,
        crm_unit_id: text,
        unit_name: text,
        tenant_id: nullable(id),
        effect: oneOf(['denied', 'spared']),
        from: instant,
        until: nullable(instant),
        actual: DECIDED_SCHEMA,
        proposed: DECIDED_SCHEMA,
      }),
    ),
    not_tried: {
      ...list(object({ unit_id: id, crm_unit_id: text, unit_name: text })),
      description: 'Units among those of this page with too many events to be tried.',
    },
    next_cursor: schema.cursor,
  }),
);

/** A decision with who set each value that it looked at. */
export const EXPLANATION_SCHEMA = named(
  'Explanation',
  schema.extended(ACCESS_SCHEMA, {
    unit_id: id,
    crm_unit_id: text,
    decided_by: text,
    checks: list(
      object({
        name: text,
        state: STATE,
        reason: REASON,
        matched: schema.flag,
        looked_at: list(
          object(
            {
              name: text,
              value: scalar,
              revision: nullable(whole),
              set_by: nullable(
                object({
                  type: text,
                  revision: whole,
                  occurred_at: instant,
                  actor: ACTOR,
                  command_id: text,
                  request_id: text,
                }),
              ),
            },
            { unit_id: id },
          ),
        ),
      }),
    ),
  }),
);

const FED_EVENT = named(
  'FedEvent',
  object({
    id: text,
    type: named('EventType', oneOf(FED_TYPES)),
    occurred_at: instant,
    subject: object(
      { kind: oneOf(['unit', 'location', 'tenant', 'lock', 'entry_point']) },
      { unit_id: id, crm_unit_id: text, location_id: id, tenant_id: id, lock_id: id, entry_point_id: id },
    ),
    revision: whole,
    actor: ACTOR,
    command_id: text,
    request_id: text,
    data: { type: 'object', additionalProperties: true },
  }),
);

/** The company's events in order. */
export const FEED_SCHEMA = named(
  'EventPage',
  object({ events: list(FED_EVENT), next_after: nullable(text) }),
);

/** The latest events, newest first. */
export const CHANGES_SCHEMA = named(
  'RecentChanges',
  schema.extended(page('events', FED_EVENT), { since: instant }),
);
