import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MOVED_IN, PAID_THROUGH } from './bulk-body.js';
import type { WireRequest } from './load/wire.js';
import { preparingBulks, type Target } from './scenarios.js';

/** The operator who prepares the service. */
export const OPERATOR = { email: 'bench@localhost', password: 'benchmark operator' } as const;

/** The usual number of units before the measurements. */
export const PREPARED_UNITS = 2_000;

/** Of the tenant who reads access. The number differs in each run, because servers keep the tenants of earlier runs. */
export const TENANT_PHONE = {
  country_code: '1',
  phone_number: `555${String(Date.now()).slice(-7)}`,
} as const;

/** The tenant who reads access, with two units. */
export const EQUIPPED = { pms_tenant_id: 'equipped', crm_unit_ids: ['equipped-1', 'equipped-2'] } as const;

const BULK_TRIES = 5;

type Fields = Readonly<Record<string, string>>;

/**
 * Prepares a new service through its API: a company with a location and an API token, units with tenants, and one signed-in
 * tenant with two units, two locks and a gate.
 */
export async function setUpService(
  port: number,
  dataFolder: string,
  units = PREPARED_UNITS,
): Promise<Target> {
  const session = await call(port, '', 'POST /api/operator/sessions', OPERATOR);
  const operator = session['token']!;
  const { company_id } = await call(port, operator, 'POST /api/operator/companies', { name: 'Bench' });
  const place = { pms_location_code: 'MAIN', name: 'Main', timezone: 'America/New_York' };
  const location = await call(port, operator, `POST /api/operator/companies/${company_id}/locations`, place);
  const issued = await call(port, operator, `POST /api/operator/companies/${company_id}/api-tokens`, {
    name: 'bench',
  });
  const target = { port, api_token: issued['token']!, tenant_token: '', entity_tag: '', units };
  await prepareUnits(target);
  await equipTenant(target, operator, location['location_id']!);
  const tenant_token = await signIn(port, dataFolder);
  return { ...target, tenant_token, entity_tag: await entityTag(port, tenant_token) };
}

/** Makes the prepared units. @throws Error if a unit was not made */
export function prepareUnits(target: Target): Promise<void> {
  return sendBulks(target, preparingBulks(target));
}

/** Changes every prepared unit `times` times, each time with an event. @throws Error if a unit was not changed */
export async function changeUnits(target: Target, times: number): Promise<void> {
  for (let balance = 1; balance <= times; balance += 1)
    await sendBulks(target, preparingBulks(target, balance));
}

async function sendBulks(target: Target, bulks: Iterable<WireRequest>): Promise<void> {
  for (const { method, path, headers = {}, body } of bulks) {
    const what = `${method} ${path}`;
    const { errors } = await send<{ errors: readonly object[] }>(target.port, what, headers, body);
    if (errors.length > 0) throw new Error(`Preparing units met errors: ${JSON.stringify(errors)}`);
  }
}

/** Makes the two units of the tenant who reads access. */
export async function makeEquippedUnits({ port, api_token }: Target): Promise<void> {
  const { country_code, phone_number } = TENANT_PHONE;
  const { pms_tenant_id, crm_unit_ids } = EQUIPPED;
  const phone = `+${country_code}${phone_number}`;
  const tenant = { pms_tenant_id, first_name: 'Kim', last_name: 'Example', phone };
  const rented = { occupied: true, move_in_date: MOVED_IN, paid_through_date: PAID_THROUGH, tenant };
  const units = crm_unit_ids.map((crm_unit_id) => ({ crm_unit_id, ...rented }));
  await call(port, api_token, 'PATCH /api/v2/units', { units });
}

/** Makes the tenant's two units, each with a lock, in a zone with a gate. */
async function equipTenant(target: Target, operator: string, location_id: string): Promise<void> {
  const { port, api_token } = target;
  await makeEquippedUnits(target);
  const at = `/api/operator/locations/${location_id}`;
  const { zone_id } = await call(port, operator, `POST ${at}/zones`, { name: 'Hall' });
  const gate = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
  await call(port, operator, `POST ${at}/entry-points`, gate);
  for (const crm_unit_id of EQUIPPED.crm_unit_ids) {
    const { unit_id } = await call(port, api_token, `GET /api/v2/units/${crm_unit_id}`);
    const { lock_id } = await call(port, operator, `POST ${at}/locks`, { name: crm_unit_id });
    await call(port, operator, `PUT /api/operator/units/${unit_id}/locks/${lock_id}`);
    await call(port, operator, `PUT /api/operator/zones/${zone_id}/units/${unit_id}`);
  }
}

async function signIn(port: number, dataFolder: string): Promise<string> {
  await call(port, '', 'POST /api/v2/auth/phone', TENANT_PHONE);
  const outbox = await readFile(join(dataFolder, 'sms-outbox.ndjson'), 'utf8');
  const otp = /\b\d{6}\b/.exec((JSON.parse(outbox.trim()) as { body: string }).body)?.[0];
  const login = await call(port, '', 'POST /api/v2/auth/verify-otp', { ...TENANT_PHONE, otp });
  return login['token']!;
}

/** The `ETag` of the prepared tenant's answer. */
export async function entityTag(port: number, tenant_token: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/tenant/access`, {
    headers: { Authorization: `Bearer ${tenant_token}` },
  });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}

/** @param what method and path @returns `data` of the answer */
function call(port: number, token: string, what: string, body?: object): Promise<Fields> {
  const headers: Record<string, string> = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return send(port, what, headers, body === undefined ? undefined : JSON.stringify(body));
}

async function send<Data = Fields>(
  port: number,
  what: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Data> {
  const [method, path] = what.split(' ') as [string, string];
  const content =
    body === undefined ? {} : { headers: { ...headers, 'Content-Type': 'application/json' }, body };
  const request = () => fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...content });
  let response = await request();
  // On a busy machine a bulk on servers may take longer than a request may. Sent again, it goes on where it was cut off.
  for (let tries = 1; method === 'PATCH' && response.status === 503 && tries < BULK_TRIES; tries += 1) {
    await response.arrayBuffer();
    response = await request();
  }
  const text = await response.text();
  if (!response.ok) throw new Error(`${what} was answered with ${response.status}: ${text}`);
  return (JSON.parse(text) as { data?: Data }).data ?? ({} as Data);
}
