import { ACCESS_SCHEMA, DECIDED_SCHEMA, POLICY_SCHEMA, REASON, STATE } from '../access/index.js';
import { schema } from '../http/index.js';

const { amount, id, instant, list, named, nullable, object, oneOf, page, recordOf, scalar, text, whole } =
  schema;

const ACTOR = object({ kind: text, id: text, name: nullable(text) });

/** A fact, or the tenants who share a unit. */
const CHANGED = { anyOf: [scalar, list(text)] };

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
  event: oneOf(['unlock', 'lock', 'attempt']),
  result: oneOf(['success', 'failure']),
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

/** What an integrator is told of a report. */
export const ACTIVITY_SCHEMA = page('entries', object(REPORT, PLACE, 'ActivityEntry'));
/** What an operator is. */
export const OPERATOR_ACTIVITY_SCHEMA = page(
  'entries',
  object(
    REPORT,
    { ...PLACE, unit_id: nullable(id), battery_percent: nullable(amount) },
    'OperatorActivityEntry',
  ),
);

/** Who would have been denied or spared under another policy. */
export const BACKTEST_SCHEMA = object({
  from: instant,
  until: instant,
  policy: POLICY_SCHEMA,
  units: whole,
  tenants_denied: object({ actual: whole, proposed: whole }),
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
  not_tried: list(object({ unit_id: id, crm_unit_id: text, unit_name: text })),
  next_cursor: schema.cursor,
});

/** A decision with who set each value that it looked at. */
export const EXPLANATION_SCHEMA = schema.extended(ACCESS_SCHEMA, {
  unit_id: id,
  crm_unit_id: text,
  decided_by: text,
  checks: list(
    object({
      number: whole,
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
});

const FED_EVENT = object({
  id: text,
  type: text,
  occurred_at: instant,
  subject: object(
    { kind: oneOf(['unit', 'location', 'tenant', 'lock', 'entry_point']) },
    { unit_id: id, crm_unit_id: text, location_id: id, tenant_id: id, lock_id: id, entry_point_id: id },
  ),
  revision: whole,
  actor: ACTOR,
  command_id: text,
  request_id: text,
  data: recordOf({}),
});

/** The company's events in order. */
export const FEED_SCHEMA = object({ events: list(FED_EVENT), next_after: nullable(text) });

/** What happened of late, newest first. */
export const CHANGES_SCHEMA = schema.extended(page('events', FED_EVENT), { since: instant });
