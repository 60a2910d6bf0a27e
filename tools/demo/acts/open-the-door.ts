import type { TenantAccessShown } from '../answers.js';
import { localTime } from '../calendar.js';
import { expectEqual, ExpectationError, present } from '../expect.js';
import { shortened } from '../format.js';
import { type Facility, type Stage, type Tenant, TIMEZONE } from '../stage.js';
import { readAccess } from '../tenant-app.js';

export const PHONE = { country_code: '1', phone_number: '3315550100' };

/** Ada signs in with her phone, fetches her keys and opens her door. */
export async function openTheDoor(stage: Stage, facility: Facility, units: Tenant['units']): Promise<Tenant> {
  const { narrator } = stage;
  await narrator.chapter('Ada opens her door');
  const tenant = { app: stage.caller(await login(stage)), units };

  await narrator.says('The app fetches what Ada may open now. It keeps the keys for when it has no signal.');
  const access = await readAccess(stage, tenant);
  expectEqual(
    'her units',
    access.units.map(({ state }) => state),
    ['tenant_permitted', 'tenant_permitted'],
  );
  showKeys(stage, access);

  await narrator.says(
    'She taps the lock of B-114. It checks the key by itself, and the app reports what happened.',
  );
  const { lock_id } = units.large;
  const tap = { event: 'unlock', result: 'success', client_log_id: 'tap-1', battery_percent: 87 } as const;
  const report = () =>
    stage.ask(
      tenant.app,
      ['POST', '/api/v2/locks/{id}/logs'],
      { path: { id: lock_id }, body: tap },
      { status: 201, note: 'unlock' },
    );
  const first = await report();
  narrator.shows('The signal was poor, so the app reports it again. It is stored once:');
  expectEqual('the repeated report', (await report()).data, first.data);

  const unit = { path: { crm_unit_id: units.large.crm_unit_id } };
  const { last_accessed_at } = (await stage.ask(facility.pms, ['GET', '/api/v2/units/{crm_unit_id}'], unit))
    .data;
  narrator.shows(
    `last_accessed_at ${localTime(TIMEZONE, present('last_accessed_at', last_accessed_at))} local`,
  );
  return tenant;
}

async function login(stage: Stage): Promise<string> {
  const { narrator, service } = stage;
  await narrator.says('Her phone number came with the sync. She asks for a code, which is sent by SMS.');
  const stranger = stage.caller();
  await stage.ask(stranger, ['POST', '/api/v2/auth/phone'], { body: PHONE });
  const message = present('the SMS', (await service.sentMessages()).at(-1));
  narrator.shows(`SMS to ${message.to}: ${message.body}`);
  const [otp] = present('the code', /\d{6}/.exec(message.body));
  const verified = await stage.ask(stranger, ['POST', '/api/v2/auth/verify-otp'], {
    body: { ...PHONE, otp },
  });
  const { data } = verified;
  if ('accounts' in data) throw new ExpectationError('her accounts', 'one', data.accounts);
  expectEqual('the tenant', data.user.name, 'Ada Park');
  return data.token;
}

function showKeys({ narrator }: Stage, { units, entry_points }: TenantAccessShown): void {
  const openings = [...units.flatMap(({ locks }) => locks), ...entry_points];
  expectEqual('locks and gate', openings.length, 3);
  for (const { name, key, key_expires_at } of openings) {
    const until = localTime(TIMEZONE, present(`expiry of the key to ${name}`, key_expires_at));
    narrator.shows(`${name}: key ${shortened(present(`key to ${name}`, key))} until ${until} local`);
  }
}
