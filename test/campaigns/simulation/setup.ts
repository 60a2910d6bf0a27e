import { NO_NOTICES, type World } from './model/world.js';
import type { Client, Reply } from './operations/operation.js';
import { anyNotices, anyPolicy, playNotices, ZONES } from './operations/site.js';
import type { Random } from './random.js';
import type { MemoryDocumentStore } from './stores/memory-document-store.js';

export const OPERATOR_ID = '01000000000000000000000001';

/** The operator, who is there already: making one would hash a password on threads. */
export function seedOperator(records: MemoryDocumentStore): void {
  records.declareNow({ name: 'operators', indexes: {} });
  const document = {
    _id: OPERATOR_ID,
    version: 1,
    email: 'operator@example.com',
    email_key: 'operator@example.com',
    password_hash: '-',
    environment_hash: null,
    rights_version: 1,
    role: 'admin',
    companies: null,
    disabled: false,
    created_at: 0,
  };
  records.writeNow([{ kind: 'insert', collection: 'operators', document }]);
}

/** One or two companies with one to three places, each with locks, zones and gates. */
export async function openFacilities(world: World, random: Random, client: Client): Promise<void> {
  const post = async (path: string, body: object): Promise<Reply['body']> => {
    const token = world.operatorToken;
    const reply = await client.definite({ method: 'POST', path: `/api/operator${path}`, token, body });
    if (reply.status !== 201) throw new Error(`${path} was answered ${reply.status} ${reply.text}`);
    return reply.body.data;
  };
  const companies = random.between(1, 2);
  for (let company = 0; company < companies; company += 1) {
    const name = `Company ${company}`;
    const sandbox = random.chance(0.4);
    const { company_id } = await post('/companies', { name, sandbox });
    const { token } = await post(`/companies/${company_id}/api-tokens`, { name: 'PMS' });
    world.companies.push({ company_id, name, token, places: [], ahead: sandbox ? 0 : null });
    const places = random.between(1, 3);
    for (let number = 0; number < places; number += 1) {
      const place = `P${number}`;
      await openPlace(world, random, { company, company_id, code: place }, post);
      await playNotices({ company, place, notices: anyNotices(random) }, world, client);
    }
  }
}

async function openPlace(
  world: World,
  random: Random,
  { company, company_id, code }: { company: number; company_id: string; code: string },
  post: (path: string, body: object) => Promise<Reply['body']>,
): Promise<void> {
  const policy = {
    timezone: random.pick(ZONES),
    grace_period_days: 5,
    balance_threshold: random.pick([0, 0.4]),
    blanket_delinquency: true,
    delinquency_mode: 'automatic',
    ...anyPolicy(random),
  } as const;
  const name = `Place ${company} ${code}`;
  const { location_id } = await post(`/companies/${company_id}/locations`, {
    pms_location_code: code,
    name,
    ...policy,
  });
  const path = `/locations/${location_id}`;
  const locks = [];
  for (const lock of ['one', 'two', 'three']) {
    const { lock_id } = await post(`${path}/locks`, { name: lock });
    locks.push({ lock_id, name: lock, unit: null, since: world.now, reports: 0 });
  }
  const zones: string[] = [];
  for (const zone of ['north', 'south']) zones.push((await post(`${path}/zones`, { name: zone })).zone_id);
  const gates = [];
  for (const zone_ids of [zones.slice(0, 1), zones]) {
    const { entry_point_id } = await post(`${path}/entry-points`, { name: 'gate', kind: 'gate', zone_ids });
    gates.push({ entry_point_id, zones: zone_ids, in_service: true });
  }
  const never = { welcome: null, closes_in_days: null, closed: null, opened: null };
  const silent = { notices: NO_NOTICES, notices_since: never };
  const place = { company, code, location_id, name, policy, ...silent, locks, zones, gates };
  world.companies[company]!.places.push(place);
}
