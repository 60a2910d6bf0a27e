/** The meaning of each parameter of a path or query that says none beside itself. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  crm_unit_id:
    "The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`.",
  id: 'Identifier of the lock or entry point.',
  company_id: 'The company. Of an operator with a scope, one within it; another is 404.',
  location_id: 'The location. Of an operator with a scope, one within it; another is 404.',
  pms_location_code: 'The code of the location. Left out of a list: all locations.',
  state: 'Only units in this state now. Left out: all.',
  reason: 'Only units with this reason now. Left out: all.',
  from: 'Only entries at or after this instant. Left out: from the beginning.',
  to: 'Only entries before this instant. Left out: up to now.',
  order: '`asc` for oldest first, `desc` for newest first. Left out: `asc`.',
  at: 'The instant to read. Before the unit existed the answer is 404.',
  dry_run: '`true`: answers as the write would, and writes nothing. Left out: `false`.',
  after:
    'Position after which to read: the last `next_after`. Left out: from the first event. An unknown position is 422.',
  types: 'Types of events, with commas between them. Left out: all.',
  type: 'Only events of this type. Left out: all.',
  failed: '`true`: only reports of failures. Left out: everything.',
  days: 'Days to look ahead, from today. 1 to 60. Left out: 30.',
  q: 'Text to search for, letters of any case. Left out: everything.',
  retired: '`true`: only retired units. Left out: only others.',
};
