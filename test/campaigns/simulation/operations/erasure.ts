import type { Account, World } from '../model/world.js';
import { endShare } from '../model/unit-rules.js';
import { demand, flow } from './operation.js';
import { numberOf, requestCode } from './tenants.js';

/** DELETE /tenants/{tenant_id}/personal-data: nobody logs in as the tenant any more, and who had is out. */
export const erase = flow<{ readonly account: string }>({
  name: 'erase',
  weight: 1,
  beside: false,
  wantsRecords: true,
  plan(world, random) {
    const known = [...world.accounts.entries()].filter(([, { tenant_id }]) => tenant_id !== null);
    return known.length === 0 ? undefined : { account: random.pick(known)[0] };
  },
  async play({ account }, world, client) {
    const known = world.accounts.get(account);
    if (known === undefined || known.tenant_id === null) return;
    const reply = await client.definite({
      method: 'DELETE',
      path: `/api/operator/tenants/${known.tenant_id}/personal-data`,
      token: world.operatorToken,
    });
    demand(reply.status === 200, () => `A tenant was erased with ${reply.status} ${reply.text}`);
    const { phone } = known;
    const nobody = { name: '', email: null, phone: null, unsure: false, erased: true };
    Object.assign(known, nobody satisfies Partial<Account>);
    endSessions(account, world);
    for (const unit of world.units.values())
      if (unit.company === known.company && unit.place === known.place) endShare(unit, known.pms_tenant_id);
    const others = [...world.accounts.values()].filter((other) => other.phone === phone || other.unsure);
    if (phone !== null && others.length === 0) await requestCode(numberOf(phone), false, client);
  },
});

export function endSessions(account: string, { sessions }: World): void {
  for (const [place, session] of sessions.entries()) {
    if (session.account === account) sessions[place] = { ...session, until: -Infinity };
  }
}
