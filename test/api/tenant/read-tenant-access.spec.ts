import { readdir, readFile } from 'node:fs/promises';
import type { TenantAccess } from '#domain/access/tenant-access/tenant-access.shapes.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { KEY_ISSUES } from '#domain/locks/keys/key-issues.js';
import { UNITS, unitStream } from '#domain/units/index.js';
import { local } from '../../domain/access/support/subjects.js';
import type { AccessWorld } from '../../domain/access/tenant-access/access-world.js';
import {
  COMPANY,
  LOCATION,
  facts,
  idOf,
  movedIn,
  movedOut,
  openAccessWorld,
  pastDue,
  shared,
} from '../../domain/access/tenant-access/access-world.js';
import { contentOf, opensLock } from '../../support/lock-verifier.js';
import { recordDetails } from '../../domain/tenants/support/details.js';

let world: AccessWorld;
let ada: TenantPrincipal;
let bob: TenantPrincipal;

beforeEach(async () => {
  world = await openAccessWorld();
  ada = await world.tenant('Ada Park');
  bob = await world.tenant('Bob Stone');
});
afterEach(() => world.close());

const iso = (wallClock: string) => new Date(local(wallClock)).toISOString();
const NIGHT = local('2025-06-07T02:00');

function verdicts({ units }: TenantAccess): Record<string, string> {
  return Object.fromEntries(units.map(({ unit_name, state, reason }) => [unit_name, reason ?? state]));
}

function gates({ entry_points }: TenantAccess): Record<string, unknown> {
  return Object.fromEntries(
    entry_points.map(({ entry_point_id, state, would_have_access, key }) => [
      entry_point_id,
      [state, would_have_access, key !== undefined],
    ]),
  );
}

async function rentWithGate(): Promise<void> {
  await world.unit('A-101', movedIn('A-101', ada));
  await world.lock('lock-a', 'A-101');
  await world.zone('A-101', 'zone-1');
  await world.entryPoint('north', ['zone-1']);
}

describe('a tenant', () => {
  it('is answered exactly what is decided', async () => {
    await rentWithGate();
    await world.accessed('A-101', local('2025-06-01T12:00'));
    const answer = await world.read(ada);
    const expires_at = NIGHT;
    const grant = { tenant_id: ada.id, expires_at };
    const tenancy_id = `stay-of-${ada.id}-in-A-101`;
    expect(answer).toEqual({
      tenant: { id: ada.id, name: 'Ada Park' },
      evaluated_at: iso('2025-06-06T09:00'),
      valid_until: null,
      refresh_at: expect.stringMatching(/^2025-06-06T18:/),
      passes: [],
      units: [
        {
          unit_id: 'unit-A-101',
          unit_name: 'A-101',
          location: {
            id: LOCATION,
            name: 'Main St',
            timezone: 'America/Chicago',
            contact: { phone: null, email: null, address: null, payment_url: null },
          },
          relationship: 'primary',
          balance_due: 0,
          currency: 'USD',
          paid_through_date: null,
          move_in_date: '2024-01-01',
          closes_at: null,
          shares: [],
          may_share: false,
          zones: ['zone-1'],
          state: 'tenant_permitted',
          reason: 'active',
          last_accessed_at: iso('2025-06-01T12:00'),
          locks: [
            {
              lock_id: 'lock-a',
              name: 'lock-a door',
              key: world.issuer.issue({
                lock_id: 'lock-a',
                unit_id: 'unit-A-101',
                tenancy_id,
                sandbox: false,
                valid_from: null,
                key_format: 1,
                ...grant,
              }),
              key_expires_at: iso('2025-06-07T02:00'),
            },
          ],
        },
      ],
      entry_points: [
        {
          entry_point_id: 'north',
          name: 'north gate',
          kind: 'gate',
          location_id: LOCATION,
          zones: ['zone-1'],
          state: 'permitted',
          reason: null,
          would_have_access: true,
          opens_at: null,
          closes_at: null,
          key: world.issuer.issue({
            lock_id: 'north',
            unit_id: null,
            tenancy_id: null,
            sandbox: false,
            valid_from: null,
            key_format: 1,
            ...grant,
          }),
          key_expires_at: iso('2025-06-07T02:00'),
        },
      ],
    });
  });

  it('without units is answered empty lists', async () => {
    expect(await world.read(ada)).toEqual({
      tenant: { id: ada.id, name: 'Ada Park' },
      evaluated_at: iso('2025-06-06T09:00'),
      valid_until: null,
      refresh_at: expect.stringMatching(/^2025-06-06T18:/),
      units: [],
      entry_points: [],
      passes: [],
    });
  });

  it('no longer sees a unit after the move-out', async () => {
    await rentWithGate();
    await world.unit('A-101', movedOut);
    expect(await world.read(ada)).toMatchObject({ units: [], entry_points: [] });
  });

  it('whose account nobody named is answered an empty name', async () => {
    const unknown = { ...ada, id: 'nobody' };
    expect((await world.read(unknown)).tenant).toEqual({ id: 'nobody', name: '' });
  });
});

describe('units', () => {
  it('follow the policy as it is now', async () => {
    await world.unit('A', movedIn('A', ada));
    await world.unit('B', movedIn('B', ada), pastDue);
    await world.policy({ blanket_delinquency: false });
    expect(verdicts(await world.read(ada))).toEqual({ A: 'active', B: 'delinquent' });
  });

  it("whose own document is behind the tenant's are listed as the tenant's document has them", async () => {
    await rentWithGate();
    const stream = unitStream(COMPANY, 'A-101');
    const known = await (await world.store.collection(UNITS)).get(stream);
    const document = { ...known!, revision: known!.revision - 1, tenancy: null };
    await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
    expect(verdicts(await world.read(ada))).toEqual({ 'A-101': 'active' });
  });

  it('whose own document already shows the end of the tenancy are left out', async () => {
    await rentWithGate();
    const stream = unitStream(COMPANY, 'A-101');
    const known = await (await world.store.collection(UNITS)).get(stream);
    const document = { ...known!, revision: known!.revision + 1, tenancy: null };
    await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
    expect(await world.read(ada)).toMatchObject({ units: [], entry_points: [] });
  });
});

describe('a lock that was moved', () => {
  it("opens the new tenant's door at once, and gives the former tenant no key", async () => {
    await rentWithGate();
    await world.unit('B-1', movedIn('B-1', bob));
    const locks = async (tenant: TenantPrincipal) =>
      (await world.read(tenant)).units.flatMap((unit) =>
        unit.locks.map(({ lock_id, key }) => [lock_id, !!key]),
      );
    expect([await locks(ada), await locks(bob)]).toEqual([[['lock-a', true]], []]);
    await world.lock('lock-a', 'B-1');
    expect([await locks(ada), await locks(bob)]).toEqual([[], [['lock-a', true]]]);
  });
});

describe('a shared unit', () => {
  beforeEach(async () => {
    await rentWithGate();
    await world.unit('A-101', shared(bob));
  });

  it('is listed with a key of the guest, under the tenancy of the primary tenant', async () => {
    const answer = await world.read(bob);
    expect(answer.units).toMatchObject([
      { unit_id: 'unit-A-101', relationship: 'shared', state: 'tenant_permitted', reason: 'active' },
    ]);
    const { key } = answer.units[0]!.locks[0]!;
    expect(opensLock(world.issuer, 'lock-a', key!, world.clock.now())).toBe(true);
    expect(contentOf(key!)).toEqual([1, 'lock-a', 'unit-A-101', `stay-of-${ada.id}-in-A-101`, bob.id, NIGHT]);
    expect(gates(answer)).toEqual({ north: ['permitted', true, true] });
  });

  it('is denied where its primary tenant is, for another of their units too', async () => {
    await world.unit('Z-9', movedIn('Z-9', ada), pastDue);
    const answer = await world.read(bob);
    expect(verdicts(answer)).toEqual({ 'A-101': 'blanket_delinquency' });
    expect(answer.units[0]!.locks).toEqual([{ lock_id: 'lock-a', name: 'lock-a door' }]);
    expect(gates(answer)).toEqual({ north: ['denied', true, false] });
  });

  it('is not denied for what the guest owes elsewhere', async () => {
    await world.unit('B-1', movedIn('B-1', bob), pastDue);
    const answer = await world.read(bob);
    expect(verdicts(answer)).toEqual({ 'A-101': 'active', 'B-1': 'delinquent' });
    expect(answer.units.map(({ relationship }) => relationship)).toEqual(['shared', 'primary']);
  });

  it('is left out, its gate with it, while its documents disagree on whose tenancy it is', async () => {
    const stream = unitStream(COMPANY, 'A-101');
    const known = await (await world.store.collection(UNITS)).get(stream);
    const tenancy = { tenancy_id: 'another stay', tenant_id: ada.id };
    const document = { ...known!, revision: known!.revision + 1, tenancy };
    await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
    expect(await world.read(bob)).toMatchObject({ units: [], entry_points: [] });
  });

  it('goes with the share and with the tenancy', async () => {
    await world.unit('A-101', { type: 'EndShare', tenant_id: bob.id });
    expect((await world.read(bob)).units).toEqual([]);
    await world.unit('A-101', shared(bob));
    expect((await world.read(bob)).units).toHaveLength(1);
    await world.unit('A-101', movedOut);
    expect((await world.read(bob)).units).toEqual([]);
  });
});

describe('entry points', () => {
  it('are lost where all units of the zones are denied, and kept where one is permitted', async () => {
    await world.policy({ blanket_delinquency: false });
    await world.unit('A', movedIn('A', ada), pastDue);
    await world.unit('B', movedIn('B', ada));
    await world.zone('A', 'zone-a');
    await world.zone('B', 'zone-b', 'zone-c');
    await world.entryPoint('gate-a', ['zone-a']);
    await world.entryPoint('gate-ab', ['zone-a', 'zone-b', 'zone-other']);
    const answer = await world.read(ada);
    expect(gates(answer)).toEqual({
      'gate-a': ['denied', true, false],
      'gate-ab': ['permitted', true, true],
    });
    expect(answer.entry_points[1]!.zones).toEqual(['zone-a', 'zone-b', 'zone-other']);
  });

  it('count a shared unit like a rented one', async () => {
    await world.unit('A', movedIn('A', ada), pastDue, shared(bob));
    await world.unit('B', movedIn('B', bob));
    await world.zone('A', 'zone-1');
    await world.zone('B', 'zone-1');
    await world.entryPoint('north', ['zone-1']);
    expect(gates(await world.read(ada))).toEqual({ north: ['denied', true, false] });
    expect(gates(await world.read(bob))).toEqual({ north: ['permitted', true, true] });
  });

  it('of other zones and other locations are not listed', async () => {
    await rentWithGate();
    await world.entryPoint('south', ['zone-2']);
    await world.entryPoint('elsewhere', ['zone-1'], { location_id: 'location-2' });
    expect(gates(await world.read(ada))).toEqual({ north: ['permitted', true, true] });
  });
});

describe('time', () => {
  beforeEach(async () => {
    await rentWithGate();
    // Five days of grace: permitted through the 6th.
    await world.unit('A-101', facts({ balance_due: 100, paid_through_date: '2025-06-01' }));
  });

  it('overtakes a decision between two reads without a write', async () => {
    const before = await world.read(ada);
    expect(verdicts(before)).toEqual({ 'A-101': 'active' });
    expect(before.valid_until).toBe(iso('2025-06-07T00:00'));
    world.clock.advance(local('2025-06-06T23:59:59.999') - world.clock.now());
    expect(verdicts(await world.read(ada))).toEqual({ 'A-101': 'active' });
    world.clock.advance(1);
    const after = await world.read(ada);
    expect(verdicts(after)).toEqual({ 'A-101': 'delinquent' });
    expect(after.valid_until).toBeNull();
    expect(gates(after)).toEqual({ north: ['denied', true, false] });
  });
});

describe('the entity tag', () => {
  const tag = async () => (await world.query(ada)).entity_tag;

  it('changes with everything that is shown', async () => {
    await rentWithGate();
    const seen = new Set([await tag()]);
    const changes: (() => Promise<unknown>)[] = [
      () => world.unit('A-101', { type: 'RenameUnit', unit_name: 'A-101b' }),
      () => world.accessed('A-101', 5),
      () => world.lock('lock-b', 'A-101'),
      () => world.entryPoint('north', ['zone-1'], { in_service: false }),
      () => world.unit('A-101', facts({ balance_due: 1, paid_through_date: '2025-06-20' })),
      () => world.unit('A-101', pastDue),
      () => world.unit('A-101', facts({ pms_auction: true })),
      () =>
        recordDetails(world, [
          { key: { company_id: COMPANY, location_id: LOCATION, pms_tenant_id: 'Ada Park' }, name: 'Ada P.' },
        ]),
    ];
    for (const [place, change] of changes.entries()) {
      await change();
      seen.add(await tag());
      expect(seen.size).toBe(place + 2);
    }
  });
});

describe('keys', () => {
  const stored = async () =>
    (await world.store.collection(KEY_ISSUES)).find('lock_expiry', { equals: [], limit: 100 });

  it('are recorded once per lock, tenant and expiry, before they leave', async () => {
    await rentWithGate();
    await world.unit('A-101', shared(bob));
    await world.read(ada);
    await world.read(ada);
    await world.read(bob);
    const { documents } = await stored();
    expect(documents.map(({ lock_id, tenant_id }) => [lock_id, tenant_id]).sort()).toEqual(
      [
        ['lock-a', ada.id],
        ['lock-a', bob.id],
        ['north', ada.id],
        ['north', bob.id],
      ].sort(),
    );
    expect(new Set(documents.map(({ expires_at }) => expires_at))).toEqual(new Set([NIGHT]));
    world.clock.advance(24 * 60 * 60_000);
    await world.read(ada);
    expect((await stored()).documents).toHaveLength(6);
  });

  it('are neither made nor recorded again while the answer stands', async () => {
    await rentWithGate();
    const { entity_tag } = await world.query(ada);
    const issue = world.issuer.issue.bind(world.issuer);
    let made = 0;
    world.issuer.issue = (grant) => {
      made += 1;
      return issue(grant);
    };
    world.issues.record = () => Promise.reject(new Error('away'));
    expect(await world.query(ada, entity_tag)).toEqual({ entity_tag, answer: undefined });
    expect(made).toBe(0);
    expect((await world.query(ada, '"another"')).answer).toBeDefined();
    expect(made).toBe(0);
  });

  it('are not recorded where none is given', async () => {
    await rentWithGate();
    await world.unit('A-101', pastDue);
    await world.read(ada);
    expect((await stored()).documents).toEqual([]);
  });

  it('do not leave where the record fails', async () => {
    await rentWithGate();
    world.issues.record = () => Promise.reject(new Error('away'));
    await expect(world.read(ada)).rejects.toThrow('away');
  });

  it('stand in no store', async () => {
    await rentWithGate();
    const { units, entry_points } = await world.read(ada);
    const signatures = [units[0]!.locks[0]!.key!, entry_points[0]!.key!].map((key) => key.split('.')[1]!);
    const text = await everythingStored();
    expect(text).toContain('lock-a');
    for (const signature of signatures) {
      expect(text).not.toContain(signature);
      expect(text).not.toContain(Buffer.from(signature, 'base64url').toString('latin1'));
    }
  });
});

it('reads in as many steps for one unit as for many', async () => {
  await rentWithGate();
  const count = async () => {
    world.reads.count = 0;
    await world.read(ada);
    return world.reads.count;
  };
  const one = await count();
  for (const name of ['B', 'C', 'D']) {
    await world.unit(name, movedIn(name, ada));
    await world.lock(`lock-${name}`, name);
    await world.zone(name, `zone-${name}`);
    await world.entryPoint(`gate-${name}`, [`zone-${name}`]);
  }
  expect(await count()).toBe(one);
  expect((await world.read(ada)).units.map(({ unit_id }) => unit_id)).toContain(idOf('D'));
});

async function everythingStored(): Promise<string> {
  await world.store.ping();
  const folder = world.folder;
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => readFile(`${file.parentPath}/${file.name}`, 'latin1')),
  );
  return texts.join('\n');
}
