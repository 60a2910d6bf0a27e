import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedOut, paid, sendEverything } from '../../docs/examples/push-units.js';
import { signIn, whatMayBeOpened } from '../../docs/examples/tenant-app.js';
import type { BulkEntry } from '../../src/client/index.js';
import { sentCode } from '../client/support/sent-code.js';
import { type Company, demand, Service } from '../support/service.js';
import { fencedBlocks } from './walkthrough.js';

const DOCS = join(__dirname, '..', '..', 'docs');

it.each([
  ['integrator.md', 'push-units.ts'],
  ['app-builder.md', 'tenant-app.ts'],
])('the guide %s shows %s as it is compiled and played', (guide, example) => {
  const blocks = fencedBlocks(readFileSync(join(DOCS, 'guides', guide), 'utf8'));
  const shown = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);
  expect(shown).toEqual([readFileSync(join(DOCS, 'examples', example), 'utf8').trimEnd()]);
});

describe('the examples of the guides', () => {
  let service: Service;
  let company: Company;
  let baseUrl: string;

  beforeAll(async () => {
    service = await Service.start();
    company = await service.company();
    baseUrl = `http://127.0.0.1:${service.port}`;
  });
  afterAll(() => service.close());

  async function* known(): AsyncGenerator<BulkEntry> {
    const tenant = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
    const lease = { occupied: true, move_in_date: '2025-11-01', paid_through_date: '2025-12-01' };
    yield { crm_unit_id: 'A-1', ...lease, tenant, balance_due: 40 };
    yield await Promise.resolve({ crm_unit_id: 'A-2', occupied: true, pms_tenant_id: 'T-2' });
  }

  it('send what is known, tell who is locked out, and take a payment', async () => {
    expect(await sendEverything(baseUrl, company.token, known())).toEqual(['A-2: validation_failed']);
    expect(await lockedOut(baseUrl, company.token)).toEqual(['A-1: balance_due to 0']);
    expect(await paid(baseUrl, company.token, 'A-1')).toBe('done');
    expect(await paid(baseUrl, company.token, 'A-9')).toBe('no such unit');
    expect(await lockedOut(baseUrl, company.token)).toEqual([]);
  });

  it('sign a tenant in, and keep what may be opened', async () => {
    const location = `/locations/${company.locations.get('MAIN')}`;
    const lock = { name: 'A-1 door', serial: 'SN-1' };
    const { lock_id } = demand(201, await service.operator('post', `${location}/locks`, lock));
    const { unit_id } = await company.unit('A-1');
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
    const phone = { country_code: '1', phone_number: '3125550100' };
    await service.call('post', '/api/v2/auth/phone', { body: phone });
    const token = await signIn(baseUrl, '1', '3125550100', await sentCode(service));
    const first = await whatMayBeOpened(baseUrl, token!);
    expect(first.doors.map(({ name }) => name)).toEqual(['A-1 door']);
    // Without a signal, at the next launch.
    const later = await whatMayBeOpened('http://127.0.0.1:1', token!, first.toStore);
    expect([later.doors, later.is_stale]).toEqual([first.doors, false]);
  });
});
