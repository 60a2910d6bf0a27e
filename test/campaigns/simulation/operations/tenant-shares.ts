import { acceptShare, endShare, offerShare, refuseCode, sharesNow } from '../model/unit-rules.js';
import { type Account, type Session, type Unit, unitKey, type World } from '../model/world.js';
import { demand, flow } from './operation.js';
import { lastsOn, numberOf } from './tenants.js';

const MINUTE = 60_000;

interface TenantShare {
  readonly unit: string;
  /** Places of two sessions: of the tenant, and of whom the tenant lets in. */
  readonly tenant: number;
  readonly guest: number;
  readonly minutes: number;
  readonly key: string;
  readonly isWrongFirst: boolean;
  readonly end: 'tenant' | 'guest' | 'later';
}

/** POST /tenant/shares, a wrong code or none, the right one, and perhaps the end (decisions §13). */
export const tenantShare = flow<TenantShare>({
  name: 'tenant_share',
  weight: 4,
  beside: false,
  wantsRecords: true,
  plan(world, random) {
    const pairs = pairsIn(world);
    if (pairs.length === 0) return undefined;
    return {
      ...random.pick(pairs),
      minutes: random.between(2, 20_000),
      key: `share-${random.between(0, 1_000_000_000)}`,
      isWrongFirst: random.chance(0.3),
      end: random.pick(['tenant', 'guest', 'later', 'later']),
    };
  },
  async play({ unit: key, tenant, guest, minutes, key: idempotency, isWrongFirst, end }, world, client) {
    const unit = world.units.get(key);
    const [by, to] = [world.sessions[tenant], world.sessions[guest]];
    if (unit === undefined || by === undefined || to === undefined || !mayShare(world, unit, by, to)) return;
    const { location_id } = world.place(unit.company, unit.place)!;
    const switched = await client.definite({
      method: 'PATCH',
      path: `/api/operator/locations/${location_id}`,
      token: world.operatorToken,
      body: { tenant_sharing: true },
    });
    demand(switched.status === 200, () => `Sharing was switched on with ${switched.status} ${switched.text}`);
    const person = world.accounts.get(to.account)!;
    const until = world.nowOf(unit.company) + minutes * MINUTE;
    const body = {
      unit_id: unit.unit_id,
      name: 'A guest',
      ...numberOf(person.phone!),
      until: new Date(until).toISOString(),
    };
    const shares = '/api/v2/tenant/shares';
    const keyed = (path: string, session: Session, given: object, name: string) =>
      client.definite({
        method: 'POST',
        path,
        token: session.token,
        body: given,
        headers: { 'idempotency-key': `${idempotency} ${name}` },
      });
    const offered = await keyed(shares, by, body, 'offer');
    // The day's invitations are used up.
    if (offered.status === 429) return;
    demand(offered.status === 201, () => `A share was offered with ${offered.status} ${offered.text}`);
    offerShare(unit);
    const { share_id } = offered.body.data as { share_id: string };
    const listed = await client.definite({ method: 'GET', path: shares, token: by.token });
    const own = (listed.body.data.shares as { share_id: string; code: string }[]).find(
      (one) => one.share_id === share_id,
    );
    demand(own !== undefined, () => `The offer is not listed: ${listed.text}`);
    const accept = `${shares}/${share_id}/accept`;
    if (isWrongFirst) {
      const code = own!.code === '000000' ? '000001' : '000000';
      const wrong = await keyed(accept, to, { code }, 'wrong');
      demand(wrong.status === 422, () => `A wrong code was answered ${wrong.status} ${wrong.text}`);
      refuseCode(unit);
    }
    const accepted = await keyed(accept, to, { code: own!.code }, 'right');
    demand(accepted.status === 200, () => `The right code was answered ${accepted.status} ${accepted.text}`);
    acceptShare(unit, { pms_tenant_id: person.pms_tenant_id, until });
    if (end === 'later') return;
    const { token } = end === 'tenant' ? by : to;
    const ended = await client.definite({ method: 'DELETE', path: `${shares}/${share_id}`, token });
    demand(ended.status === 200, () => `A share was ended with ${ended.status} ${ended.text}`);
    endShare(unit, person.pms_tenant_id);
  },
});

function pairsIn(world: World): Pick<TenantShare, 'unit' | 'tenant' | 'guest'>[] {
  const places = world.sessions.map((_, place) => place).slice(-8);
  return places.flatMap((tenant) =>
    places.flatMap((guest) =>
      [...world.units.values()]
        .filter((unit) => mayShare(world, unit, world.sessions[tenant]!, world.sessions[guest]!))
        .map((unit) => ({ unit: unitKey(unit.company, unit.crm_unit_id), tenant, guest })),
    ),
  );
}

/** Whether the first session's account rents the unit, and the second's is another person's, without a share by staff. */
function mayShare(world: World, unit: Unit, by: Session, to: Session): boolean {
  const [tenant, person] = [accountOf(world, unit, by), accountOf(world, unit, to)];
  if (tenant === undefined || person === undefined || unit.unit_id === null || unit.retired) return false;
  const rents = unit.facts.occupied && unit.facts.pms_tenant_id === tenant.pms_tenant_id;
  if (!rents || tenant.phone === person.phone) return false;
  const { pms_tenant_id } = person;
  const now = world.nowOf(unit.company);
  const isShared = sharesNow(unit, now).some((one) => one.pms_tenant_id === pms_tenant_id);
  return !isShared || unit.given.includes(pms_tenant_id);
}

/** The account of a session that lasts, if it is at the unit's place, and its phone is known. */
function accountOf(world: World, { company, place }: Unit, session: Session): Account | undefined {
  const account = world.accounts.get(session.account);
  if (account?.company !== company || account.place !== place) return undefined;
  return account.unsure || account.phone === null || !lastsOn(session, world) ? undefined : account;
}
