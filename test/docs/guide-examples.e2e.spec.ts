import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedOut, paid, sendEverything } from '../../docs/examples/push-units.js';
import type { BulkEntry } from 'storage-access-client';
import { type Company, Service } from '../support/service.js';
import { fencedBlocks } from './walkthrough.js';

const DOCS = join(__dirname, '..', '..', 'docs');

it('the guide for integrators shows the example as it is compiled and played', () => {
  const blocks = fencedBlocks(readFileSync(join(DOCS, 'guides', 'integrator.md'), 'utf8'));
  const shown = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);
  expect(shown).toEqual([readFileSync(join(DOCS, 'examples', 'push-units.ts'), 'utf8').trimEnd()]);
});

describe('the example of the guide', () => {
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
    yield { crm_unit_id: 'A-3', occupied: false, pms_auction: true, pms_lock_exempt: true };
    yield await Promise.resolve({ crm_unit_id: 'A-2', occupied: true, pms_tenant_id: 'T-2' });
  }

  it('sends what is known, tells who is locked out, and takes a payment', async () => {
    expect(await sendEverything(baseUrl, company.token, known())).toEqual([
      'A-2: validation_failed',
      'A-3: auction_while_exempt',
    ]);
    expect(await lockedOut(baseUrl, company.token)).toEqual(['A-1: balance_due to 0']);
    expect(await paid(baseUrl, company.token, 'A-1')).toBe('done');
    expect(await paid(baseUrl, company.token, 'A-9')).toBe('no such unit');
    expect(await lockedOut(baseUrl, company.token)).toEqual([]);
  });
});
