import type { OperatorPrincipal, Owner } from '#kernel/principals.js';
import { assertOwn, assertServed, type Owners } from '#web/operator-access.js';

describe('a thing that an operator of some companies names', () => {
  const operator = {
    kind: 'operator',
    id: 'o',
    role: 'manager',
    companies: ['mine'],
    sites: null,
    rights_version: 1,
  } as const;
  const owners: Owners = {
    unit_id: [
      'unit_not_found',
      (id) => Promise.resolve({ company_id: id === 'u-mine' ? 'mine' : 'theirs', location_id: 'l' }),
    ],
  };

  it('is refused when it belongs to another company', async () => {
    await assertOwn(operator, { unit_id: 'u-mine' }, owners);
    await expect(assertOwn(operator, { unit_id: 'u-theirs' }, owners)).rejects.toThrow('Unit not found.');
    await expect(assertOwn(operator, { unit_id: ['u-mine', 'u-theirs'] }, owners)).rejects.toThrow();
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'may be called %s, which is nobody’s',
    async (name) => {
      const named = Object.fromEntries([[name, 'x']]) as Record<string, unknown>;
      await expect(assertOwn(operator, named, owners)).resolves.toBeUndefined();
    },
  );
});

describe('a route that does not declare how it serves operators of sites', () => {
  const ofSites = { ...ofAll(), sites: [{ company_id: 'c', location_id: 'l' }], companies: [] };

  it('refuses them', () => {
    expect(() => assertServed(ofSites, undefined)).toThrow('Forbidden.');
    expect(() => assertServed(ofSites, 'refused')).toThrow('Forbidden.');
    expect(() => assertServed(ofSites, 'named')).not.toThrow();
  });

  it('serves operators of companies', () => {
    expect(() => assertServed(ofAll(), undefined)).not.toThrow();
    expect(() => assertServed(ofAll(), 'refused')).not.toThrow();
  });
});

describe('a thing that an operator of sites names', () => {
  const site = { company_id: 'c', location_id: 'l' };
  const ofSites: OperatorPrincipal = { ...ofAll(), companies: [], sites: [site] };
  const ownedBy = (owner: Owner): Owners => ({ lock_id: ['lock_not_found', () => Promise.resolve(owner)] });
  const assertLock = (owner: Owner, operator = ofSites) =>
    assertOwn(operator, { lock_id: 'x' }, ownedBy(owner));

  it('is there at one of the sites alone', async () => {
    await assertLock(site);
    await expect(assertLock({ ...site, location_id: 'other' })).rejects.toThrow('Lock not found.');
    await expect(assertLock({ ...site, company_id: 'other' })).rejects.toThrow('Lock not found.');
  });

  it('is not there if it belongs to the company as a whole', async () => {
    await expect(assertLock({ company_id: 'c' })).rejects.toThrow('Lock not found.');
  });

  it('is not there for one who has no site', async () => {
    await expect(assertLock(site, { ...ofSites, sites: [] })).rejects.toThrow('Lock not found.');
  });

  it('may be a company that has one of the sites', async () => {
    const owners: Owners = {
      company_id: ['company_not_found', (company_id) => Promise.resolve({ company_id })],
    };
    await assertOwn(ofSites, { company_id: 'c' }, owners);
    await expect(assertOwn(ofSites, { company_id: 'd' }, owners)).rejects.toThrow('Company not found.');
  });
});

function ofAll(): OperatorPrincipal {
  return { kind: 'operator', id: 'o', role: 'manager', companies: null, sites: null, rights_version: 1 };
}
