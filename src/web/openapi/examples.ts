import type { JsonSchema } from '../validation/json-schema.js';

const ID = '01JQ8Z5V7K3M9N2P4R6S8T0W1X';
const INSTANT = '2026-06-06T14:00:00.000Z';

/** Examples by the name of a field. A name that is not here gets an example by its type. */
const VALUES: Readonly<Record<string, unknown>> = {
  occupied: true,
  state: 'tenant_permitted',
  pms_tenant_id: 'T-1001',
  tenant_id: ID,
  ledger_id: 'L-2001',
  crm_unit_id: 'A-101',
  unit_name: 'A-101',
  pms_location_code: 'MAIN',
  move_in_date: '2026-01-15',
  balance_threshold: 0,
  first_name: 'Ada',
  last_name: 'Park',
  email: 'ada.park@example.com',
  phone: '+15551234567',
  country_code: '1',
  phone_number: '5551234567',
  otp: '123456',
  password: 'correct horse battery staple',
  current: 'correct horse battery staple',
  next: 'another horse battery staple',
  timezone: 'America/Chicago',
  grace_period_days: 5,
  reason: 'Pays at the desk on Friday',
  serial: 'SN-0042',
  failure_code: 'nfc_timeout',
  client_log_id: 'tap-1',
  battery_percent: 80,
  advance_seconds: 86_400,
  occurred_at: '2026-06-06T13:59:00Z',
  at: INSTANT,
  from: '2026-06-01T00:00:00Z',
  to: INSTANT,
  expires_at: '2030-01-01T00:00:00Z',
  message: 'The door sticks.',
  limit: 100,
  days: 30,
  url: 'https://pms.example.com/units.json',
  auth_header: 'Bearer a-credential-of-the-pms',
  mapping: { unitNumber: 'crm_unit_id' },
  errors: [],
  location: 'Main Street',
  company: 'Park Storage',
  lock_name: 'Door of A-101',
  entry_point_name: 'Front gate',
  zone_ids: [ID],
  entry_point_id: ID,
  entry_point_ids: [ID],
  missing_here: ['A-102'],
  missing_given: ['A-103'],
  field: 'pms_lockout',
  given: true,
  here: false,
  value: true,
  default: 5,
  description: 'Whole calendar days.',
  type: 'UnitFactsChanged',
  decided_by: 'pms_lockout',
  when: 'pms_lockout is true',
  command_id: ID,
  request_id: '9b2f6c1e-7d54-4c0a-8f3b-2e1d5a6c7b80',
  hash: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
  session_id: ID,
  policy: '"pms-write";q=600;w=60',
  token: 'an-opaque-token',
  kind: 'api_token',
  id: ID,
  next_cursor: 'an-opaque-cursor',
  next_after: '18446',
  service: 'storage-access',
  status: 'ok',
};

/** The example of `name`, by another field of the same object: the first that is present. */
const NAMES: readonly (readonly [otherField: string, name: string])[] = [
  ['pass_id', 'Lakeside Pest Control'],
  ['entry_point_ids', 'Lakeside Pest Control'],
  ['scope', 'PMS, production'],
  ['token_id', 'PMS, production'],
  ['zone_ids', 'Front gate'],
  ['entry_point_id', 'Front gate'],
  ['serial', 'Door of A-101'],
  ['lock_id', 'Door of A-101'],
  ['zone_id', 'Hall 1'],
  ['interval_seconds', 'Units of the PMS'],
  ['pull_source_id', 'Units of the PMS'],
  ['email', 'Ada Park'],
  ['tenant_id', 'Ada Park'],
  ['timezone', 'Main Street'],
  ['location_id', 'Main Street'],
  ['sandbox', 'Park Storage'],
  ['company_id', 'Park Storage'],
  ['matched', 'pms_lockout'],
  ['when', 'pms_lockout'],
  ['value', 'pms_lockout'],
  ['default', 'grace_period_days'],
  ['kind', 'PMS, production'],
];
/** Default: the name of a zone. */
const NAME = 'Hall 1';
/** For `{ id, name }`, by the field that contains the object. */
const NAMES_IN: Readonly<Record<string, string>> = { tenant: 'Ada Park', user: 'Ada Park' };

/** Optional fields that examples of requests leave out, because they fit only special cases. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'cursor',
  'entries',
  'companies',
  'locations',
  'failure_code',
  'unit_ids',
  'pms_location_code',
]);

/** A value that fits a schema. @param name the field that contains the value */
export function exampleOf(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  name = '',
): unknown {
  const known = referenced(schema, schemas);
  if (known !== undefined) return exampleOf(known, schemas, name);
  if (schema.examples !== undefined) return schema.examples[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(first, schemas, name);
  if (schema.enum !== undefined) return schema.enum.find((one) => one === VALUES[name]) ?? schema.enum[0];
  return ofType(schema, schemas, name);
}

/** The schema that a `$ref` names. */
function referenced(
  { $ref }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema | undefined {
  return $ref === undefined ? undefined : schemas[$ref.split('/').at(-1)!];
}

function ofType(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>, name: string): unknown {
  const type = [schema.type].flat()[0];
  if (type === 'object')
    return typeof VALUES[name] === 'object' ? VALUES[name] : objectExample(schema, schemas, name);
  if (type === 'array' && Array.isArray(VALUES[name])) return VALUES[name];
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items, schemas)];
  return VALUES[name] ?? plainExample(type as string, schema);
}

/** @param holder the field that contains the object */
function objectExample(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  holder: string,
): unknown {
  const { properties = {}, required = [] } = schema;
  // Examples of requests leave out some optional fields; examples of answers are complete.
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (schema.additionalProperties === false && !LEFT_OUT.has(name)),
  );
  return Object.fromEntries(
    shown.map(([name, one]) => [
      name,
      name === 'name' && isFreeText(one, schemas)
        ? nameAmong(properties, holder)
        : exampleOf(one, schemas, name),
    ]),
  );
}

function isFreeText(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): boolean {
  return (referenced(schema, schemas) ?? schema).enum === undefined;
}

function nameAmong(properties: Readonly<Record<string, JsonSchema>>, holder: string): string {
  return NAMES_IN[holder] ?? NAMES.find(([beside]) => Object.hasOwn(properties, beside))?.[1] ?? NAME;
}

function plainExample(type: string, { format, pattern, minimum = 0 }: JsonSchema): unknown {
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return Math.max(minimum, 0);
  if (format === 'date-time') return INSTANT;
  if (format === 'date') return '2026-06-06';
  return pattern?.includes('HJKMNP') === true ? ID : 'text';
}
