import type { JsonSchema } from '../validation/json-schema.js';

const ID = '01JQ8Z5V7K3M9N2P4R6S8T0W1X';
const INSTANT = '2026-06-06T14:00:00.000Z';

/** What a field of a name holds, by way of example. A name that is not here gets what its type suggests. */
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
  paid_through_date: '2026-06-30',
  balance_due: 0,
  balance_threshold: 0,
  pms_status_raw: 'Rented',
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
  name: 'Main Street',
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
};

/** Fields that no request needs, and that would only ask for what is not there. */
const LEFT_OUT: ReadonlySet<string> = new Set(['cursor', 'entries', 'companies', 'pms_location_code']);

/** A value that fits a schema. @param name of the field that holds it */
export function exampleOf(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  name = '',
): unknown {
  const known = schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1)!];
  if (known !== undefined) return exampleOf(known, schemas, name);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(first, schemas, name);
  if (schema.enum !== undefined) return schema.enum.find((one) => one === VALUES[name]) ?? schema.enum[0];
  return ofType(schema, schemas, name);
}

function ofType(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>, name: string): unknown {
  const type = [schema.type].flat()[0];
  if (type === 'object')
    return typeof VALUES[name] === 'object' ? VALUES[name] : objectExample(schema, schemas);
  if (type === 'array' && Array.isArray(VALUES[name])) return VALUES[name];
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items, schemas)];
  return VALUES[name] ?? plainExample(type as string, schema);
}

function objectExample(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): unknown {
  const { properties = {}, required = [] } = schema;
  // A request names what it must and what makes it plain; an answer is shown whole.
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (schema.additionalProperties === false && !LEFT_OUT.has(name)),
  );
  return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(one, schemas, name)]));
}

function plainExample(type: string, { format, pattern, minimum = 0 }: JsonSchema): unknown {
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return Math.max(minimum, 0);
  if (format === 'date-time') return INSTANT;
  if (format === 'date') return '2026-06-06';
  return pattern?.includes('HJKMNP') === true ? ID : 'text';
}
