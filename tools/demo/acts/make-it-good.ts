import { addDays, localTime } from '../calendar.js';
import { expectEqual } from '../expect.js';
import { stateOf } from '../format.js';
import { type Facility, type Stage, type Tenant, TIMEZONE } from '../stage.js';
import { readAccess } from '../tenant-app.js';

const UNIT = '/api/v2/units/{crm_unit_id}';
const OVERRIDE = '/api/operator/units/{unit_id}/override';

/** The operator sets an override, then the payment arrives. */
export async function makeItGood(stage: Stage, facility: Facility, tenant: Tenant): Promise<void> {
  await stage.narrator.chapter('A helping hand, and the money');
  await overrideSmallUnit(stage, facility, tenant);
  await showOutstandingKeys(stage, facility, tenant);
  await pay(stage, facility, tenant);
}

async function overrideSmallUnit(stage: Stage, { operator }: Facility, tenant: Tenant): Promise<void> {
  const { narrator } = stage;
  await narrator.says(
    'Ada calls: her train leaves in an hour and the skis are in D-207. The operator exempts that unit until',
    'tomorrow. An override needs a reason, ends by itself, and names its author in the history.',
  );
  const expires_at = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();
  const body = { override: 'exempt', reason: 'Called; pays B-114 by card today', expires_at } as const;
  const { unit_id } = tenant.units.small;
  await stage.ask(operator, ['PUT', OVERRIDE], { path: { unit_id }, body }, { note: body.reason });
  const { units, entry_points } = await readAccess(stage, tenant);
  expectEqual('her units', units.map(stateOf), [
    'tenant_denied: delinquent',
    'tenant_permitted: system_exempt',
  ]);
  expectEqual(
    'the gate',
    entry_points.map(({ state }) => state),
    ['permitted'],
  );
}

async function showOutstandingKeys(stage: Stage, { operator }: Facility, tenant: Tenant): Promise<void> {
  const { narrator } = stage;
  await narrator.says(
    'The key to B-114 that Ada fetched before cannot be called back from a lock without a connection.',
    'The service knows that it gave it out, and tells the operator until when it opens.',
  );
  const { unit_id } = tenant.units.large;
  const unit = await stage.ask(operator, ['GET', '/api/operator/units/{unit_id}'], { path: { unit_id } });
  const { locks } = unit.data;
  const outstanding = locks.flatMap(({ name, keys_outstanding }) =>
    keys_outstanding.map(
      ({ expires_at }) => `${name}: a key still opens until ${localTime(TIMEZONE, expires_at)} local`,
    ),
  );
  expectEqual('outstanding keys', outstanding.length, 1);
  narrator.shows(...outstanding);
}

async function pay(stage: Stage, facility: Facility, tenant: Tenant): Promise<void> {
  const { narrator, today } = stage;
  await narrator.says(
    'The payment arrives. The PMS reports it under a key, so that a retry cannot count twice.',
  );
  const { large, small } = tenant.units;
  const unit = { path: { crm_unit_id: large.crm_unit_id } };
  const payment = {
    ...unit,
    body: { balance_due: 0, paid_through_date: addDays(today, 20) },
    idempotency_key: 'payment-4711',
  };
  const pay = (note: string) => stage.ask(facility.pms, ['PATCH', UNIT], payment, { note });
  await pay(JSON.stringify(payment.body));
  const replayed = await pay('sent again under the same Idempotency-Key');
  narrator.shows(`Idempotency-Replayed: ${replayed.headers.get('idempotency-replayed')}`);
  expectEqual('the replay', replayed.headers.get('idempotency-replayed'), 'true');

  await narrator.says('The override is no longer needed.');
  await stage.ask(facility.operator, ['DELETE', OVERRIDE], { path: { unit_id: small.unit_id } });
  const { units } = await readAccess(stage, tenant);
  expectEqual('her units', units.map(stateOf), ['tenant_permitted: active', 'tenant_permitted: active']);
  const { access } = (await stage.ask(facility.pms, ['GET', UNIT], unit)).data;
  expectEqual('what remains to be done', access.resolution, []);
}
