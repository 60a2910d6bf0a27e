import { HmacKeyIssuer } from '#domain/locks/index.js';
import { MASTER_SECRET, startOperatorService } from './operator-service.js';
import type { OperatorService } from './operator-service.js';

let service: OperatorService;
beforeAll(async () => {
  service = await startOperatorService();
});
afterAll(() => service.stop());

async function created(path: string, body: object, id: string): Promise<string> {
  const answer = await service.call('post', path, body);
  expect(answer.status).toBe(201);
  return (answer.body.data as Record<string, string>)[id]!;
}

it('hands out what one lock or reader checks keys with, and tells of it each time without the secret', async () => {
  const company_id = await created('/companies', { name: 'Ada Storage' }, 'company_id');
  const place = { pms_location_code: 'MAIN', name: 'Main St' };
  const location_id = await created(`/companies/${company_id}/locations`, place, 'location_id');
  const lock_id = await created(`/locations/${location_id}/locks`, { name: 'Door' }, 'lock_id');
  const gate = { name: 'Gate', kind: 'gate', zone_ids: [] };
  const gate_id = await created(`/locations/${location_id}/entry-points`, gate, 'entry_point_id');
  const issuer = new HmacKeyIssuer(Buffer.from(MASTER_SECRET));

  const ofLock = await service.call('get', `/locks/${lock_id}/provisioning`);
  expect([ofLock.status, ofLock.headers['cache-control']]).toEqual([200, 'no-store']);
  const { key } = issuer.provisioning(lock_id, 1);
  expect(ofLock.body.data).toEqual({ lock_id, format: 1, algorithm: 'HMAC-SHA-256', key });
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  await service.call('get', `/locks/${lock_id}/provisioning`);
  const ofGate = await service.call('get', `/entry-points/${gate_id}/provisioning`);
  expect(ofGate.body.data).toMatchObject({
    entry_point_id: gate_id,
    key: issuer.provisioning(gate_id, 1).key,
  });

  const events = await service.events.readStream(`location-${location_id}`);
  const told = events.filter(({ type }) => type.endsWith('Provisioned'));
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['LockProvisioned', { lock_id }],
    ['LockProvisioned', { lock_id }],
    ['EntryPointProvisioned', { entry_point_id: gate_id }],
  ]);
  for (const { metadata } of told) expect(metadata['actor']).toMatchObject({ kind: 'operator' });
  expect(JSON.stringify(told.map(({ data, metadata }) => [data, metadata]))).not.toContain(key);

  const nothing = await service.call('get', `/locks/${service.ids.ulid()}/provisioning`);
  expect([nothing.status, nothing.body.code]).toEqual([404, 'lock_not_found']);
  const nowhere = await service.call('get', `/entry-points/${service.ids.ulid()}/provisioning`);
  expect([nowhere.status, nowhere.body.code]).toEqual([404, 'entry_point_not_found']);
});
