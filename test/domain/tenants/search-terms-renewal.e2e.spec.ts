import { SearchTermsRenewal } from '#domain/tenants/index.js';
import { TENANT_ACCOUNTS, type TenantAccount, withCall } from '#domain/tenants/tenant-account.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { silentLogger } from '#kernel/logger.js';
import { type Company, demand, Service } from '../../support/service.js';
import { withMembers } from '../../support/with-members.js';

let service: Service;
let company: Company;
let records: DocumentStore;

beforeEach(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN' });
  records = service.stores.records;
  await storeWithOldTerms();
});
afterEach(() => service.close());

async function storeWithOldTerms(): Promise<void> {
  const tenant = { pms_tenant_id: 'T-1', first_name: 'Mary-Jane', last_name: 'Lopez' };
  const unit = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-06-01', tenant };
  demand(200, await company.sync([unit]));
  const account = await readAccount();
  const search_terms = ['mary-jane lopez', 'lopez'];
  await replaceAccount(account, { ...account, search_terms, version: account.version + 1 });
}

async function readAccount(): Promise<TenantAccount> {
  const accounts = await records.collection(TENANT_ACCOUNTS);
  return (await accounts.page(undefined, 10)).find(({ name }) => name === 'Mary-Jane Lopez')!;
}

async function replaceAccount({ version }: TenantAccount, document: TenantAccount): Promise<void> {
  const write = { kind: 'compare_and_set', collection: TENANT_ACCOUNTS.name, expected: version } as const;
  expect(await records.write([{ ...write, document }])).toEqual([{ kind: 'written' }]);
}

async function found(q: string): Promise<string[]> {
  const answer = await service.operator('get', `/tenants?company_id=${company.id}&q=${q}`);
  return (demand(200, answer)['tenants'] as { name: string }[]).map(({ name }) => name);
}

describe('a tenant whom an earlier version has stored', () => {
  it('is found by the part of a name behind its hyphen', async () => {
    expect(await found('jane')).toEqual([]);
    await service.part(SearchTermsRenewal).renewTerms();
    expect(await found('jane')).toEqual(['Mary-Jane Lopez']);
    expect(await found('lopez')).toEqual(['Mary-Jane Lopez']);
  });

  it('is found so after a call that is noted while its terms are renewed', async () => {
    let isCalled = false;
    const callFirst: DocumentStore['write'] = async (writes) => {
      if (!isCalled) {
        isCalled = true;
        const account = await readAccount();
        await replaceAccount(account, withCall(account, { at: 1, by: 'operator-1' }));
      }
      return records.write(writes);
    };
    const interrupted = withMembers(records, { write: callFirst });
    await new SearchTermsRenewal(interrupted, service.clock, silentLogger).renewTerms();
    expect(await found('jane')).toEqual(['Mary-Jane Lopez']);
    expect((await readAccount()).called).toEqual({ at: 1, by: 'operator-1' });
  });
});
