import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions, Method, Parsed } from '../../support/http-client.js';
import { demand } from '../../support/service.js';
import { OPERATOR, type ServiceProcess } from '../../support/service-process.js';
import { type Seeded, seedService } from '../schema/seeded-service.js';

/** A phone number, as the login takes it. */
export interface Phone {
  readonly country_code: string;
  readonly phone_number: string;
}

export interface Prepared extends Seeded {
  readonly email: string;
  readonly password: string;
  /** A tenant's phone to which no code was sent. */
  readonly phone: Phone;
  /** A phone of two accounts, with a code that was sent to it. */
  readonly twice: { readonly phone: Phone; readonly otp: string; readonly tenant_id: string };
  /** Standalone units. */
  readonly standalone: string;
  readonly spare: string;
  /** Address of a pull source. */
  readonly source: string;
}

/** Makes what every operation needs in a service that has nothing. */
export async function prepare(service: ServiceProcess, dataDir: string): Promise<Prepared> {
  const seeded = await seedService(service, dataDir);
  const { credentials, named } = seeded;
  const call = async (status: number, method: Method, path: string, options: CallOptions): Promise<Parsed> =>
    demand(status, await service.client.call(method, path, options));
  const operate = (method: Method, path: string, body: object): Promise<Parsed> =>
    call(201, method, `/api/operator${path}`, { body, token: credentials.operator });
  const tenants = `/locations/${named['location_id']}/tenants`;
  const accountOf = async (pms_tenant_id: string, { country_code, phone_number }: Phone) => {
    const phone = `+${country_code}${phone_number}`;
    return (await operate('post', tenants, { pms_tenant_id, name: 'Dan Twice', phone })).tenant_id as string;
  };
  const phone = { country_code: '1', phone_number: '5550000004' };
  const both = { country_code: '1', phone_number: '5550000005' };
  await accountOf('once', phone);
  const tenant_id = await accountOf('twice-1', both);
  await accountOf('twice-2', both);
  await call(200, 'post', '/api/v2/auth/phone', { body: both });
  const sent = (await readFile(join(dataDir, 'sms-outbox.ndjson'), 'utf8')).trim().split('\n').at(-1)!;
  const [otp] = /\b\d{6}\b/.exec((JSON.parse(sent) as { body: string }).body)!;
  const unit = async (crm_unit_id: string) =>
    (await operate('post', `/locations/${named['location_id']}/units`, { crm_unit_id })).unit_id as string;
  return {
    ...seeded,
    ...OPERATOR,
    phone,
    twice: { phone: both, otp, tenant_id },
    standalone: await unit('counter-1'),
    spare: await unit('counter-2'),
    // Nobody listens there: its runs fail.
    source: 'https://127.0.0.1:9/units.json',
  };
}
