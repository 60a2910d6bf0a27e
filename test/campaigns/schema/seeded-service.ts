import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions, Method, Parsed } from '../../support/http-client.js';
import { demand } from '../../support/service.js';
import { OPERATOR, type ServiceProcess, setUpCompany } from '../../support/service-process.js';

/** By the names of the document's security schemes. */
export type Credentials = Readonly<Record<'api_token' | 'tenant' | 'operator', string>>;

/** What whoever knows the document alone cannot guess: who calls, and what there is to be named in a path. */
export interface Seeded {
  readonly credentials: Credentials;
  /** For requests that end their own. */
  readonly ending: Credentials;
  /** Values of path parameters, by their names. */
  readonly named: Readonly<Record<string, string>>;
  /** Values of `{id}`, by the segment before it. */
  readonly ids: Readonly<Record<string, string>>;
}

const AUDITOR = { email: 'auditor@example.com', password: 'an auditor of the campaign', role: 'auditor' };
const ADA = { country_code: '1', phone_number: '5550000001' };
const BOB = { country_code: '1', phone_number: '5550000002' };
const CYD = { country_code: '1', phone_number: '5550000003' };

/** Makes one of everything in a service that has nothing, and signs in callers of each kind. */
export async function seedService(service: ServiceProcess, dataDir: string): Promise<Seeded> {
  const { company_id, token } = await setUpCompany(service);
  const call = async (
    status: number,
    method: Method,
    path: string,
    options: CallOptions = {},
  ): Promise<Parsed> => demand(status, await service.client.call(method, path, options));
  const signIn = async () => (await call(201, 'post', '/api/operator/sessions', { body: OPERATOR })).token;
  const operator = await signIn();
  const operate = (status: number, method: Method, path: string, body?: unknown) =>
    call(status, method, `/api/operator${path}`, { body, token: operator });
  const logIn = async (phone: typeof ADA) => {
    await call(200, 'post', '/api/v2/auth/phone', { body: phone });
    const sent = (await readFile(join(dataDir, 'sms-outbox.ndjson'), 'utf8')).trim().split('\n').at(-1)!;
    const otp = /\b\d{6}\b/.exec((JSON.parse(sent) as { body: string }).body)![0];
    return (await call(200, 'post', '/api/v2/auth/verify-otp', { body: { ...phone, otp } })).token;
  };
  const rent = async (crm_unit_id: string, { country_code, phone_number }: typeof ADA) => {
    const name = { first_name: crm_unit_id, last_name: 'Renter' };
    const tenant = {
      pms_tenant_id: `${crm_unit_id}-tenant`,
      ...name,
      phone: `+${country_code}${phone_number}`,
    };
    const unit = {
      crm_unit_id,
      pms_location_code: 'MAIN',
      occupied: true,
      move_in_date: '2026-01-01',
      tenant,
    };
    await call(200, 'patch', '/api/v2/units', { body: { units: [unit] }, token });
    const { unit_id } = await call(200, 'get', `/api/v2/units/${crm_unit_id}`, { token });
    const shown = await operate(200, 'get', `/units/${unit_id}`);
    return { crm_unit_id, unit_id, tenant_id: shown.tenant.tenant_id };
  };

  const company = `/companies/${company_id}`;
  const place = { pms_location_code: 'MAIN', name: 'Main', timezone: 'America/Chicago' };
  const { location_id } = await operate(201, 'post', `${company}/locations`, place);
  const { token_id } = await operate(201, 'post', `${company}/api-tokens`, { name: 'spare' });
  const { operator_id } = await operate(201, 'post', '/operators', AUDITOR);
  // Nobody listens there: its runs come to nothing.
  const source = { name: 'PMS', url: 'https://127.0.0.1:9/units.json', interval_seconds: 86_400 };
  const { pull_source_id } = await operate(201, 'post', `${company}/pull-sources`, source);
  const receiver = { url: 'https://127.0.0.1:9/hooks' };
  const { webhook_id } = await operate(201, 'post', `${company}/webhooks`, receiver);
  const { delivery_id } = await operate(202, 'post', `${company}/webhooks/${webhook_id}/test`);
  const { crm_unit_id, unit_id } = await rent('unit-1', ADA);
  // Erasing one tenant leaves the other as she is.
  const { tenant_id } = await rent('unit-2', BOB);
  await rent('unit-3', CYD);
  const at = `/locations/${location_id}`;
  const { lock_id } = await operate(201, 'post', `${at}/locks`, { name: 'Door' });
  await operate(200, 'put', `/units/${unit_id}/locks/${lock_id}`);
  const { zone_id } = await operate(201, 'post', `${at}/zones`, { name: 'Hall' });
  await operate(200, 'put', `/zones/${zone_id}/units/${unit_id}`);
  const gate = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = await operate(201, 'post', `${at}/entry-points`, gate);
  return {
    credentials: { api_token: token, tenant: await logIn(ADA), operator },
    ending: { api_token: token, tenant: await logIn(CYD), operator: await signIn() },
    named: {
      ...{ company_id, location_id, pms_location_code: 'MAIN', token_id, operator_id, pull_source_id },
      ...{ crm_unit_id, unit_id, tenant_id, lock_id, zone_id, entry_point_id, webhook_id, delivery_id },
    },
    ids: { locks: lock_id, 'entry-points': entry_point_id },
  };
}
