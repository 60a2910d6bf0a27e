import { KeyIssues } from '../../src/locks/index.js';
import type { World } from '../tenants/support/world.js';
import { counting, openWorld } from '../tenants/support/world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const hour = 60 * 60_000;

describe('key issues', () => {
  it('are recorded once: a repeated read writes nothing, a restarted process nothing new', async () => {
    const counted = counting(world.records);
    const issues = new KeyIssues(counted.store);
    const given = ['LOCK1', 'LOCK2'].map((lock_id) => ({
      lock_id,
      tenant_id: 'T1',
      expires_at: world.clock.now() + hour,
      unit_ids: ['U1'],
    }));
    await issues.record(given, world.clock.now());
    await issues.record(given, world.clock.now());
    await issues.record([...given].reverse(), world.clock.now());
    expect(counted.writes()).toBe(1);
    await new KeyIssues(world.records).record(given, world.clock.now());
    expect(await issues.outstanding(['LOCK1'], world.clock.now())).toEqual([
      [{ lock_id: 'LOCK1', tenant_id: 'T1', expires_at: given[0]!.expires_at }],
    ]);
  });

  it('tell until when keys that were given out still work', async () => {
    const issues = new KeyIssues(world.records);
    const now = world.clock.now();
    await issues.record(
      [
        { lock_id: 'LOCK1', tenant_id: 'T1', expires_at: now + hour, unit_ids: ['U1'] },
        { lock_id: 'LOCK1', tenant_id: 'T1', expires_at: now + 2 * hour, unit_ids: ['U1'] },
        { lock_id: 'LOCK1', tenant_id: 'T2', expires_at: now + 3 * hour, unit_ids: ['U2'] },
        { lock_id: 'GATE1', tenant_id: 'T1', expires_at: now + 3 * hour, unit_ids: ['U1', 'U2'] },
      ],
      world.clock.now(),
    );
    const ofUnit = async (unit_id: string, at: number) =>
      (await issues.outstandingForUnit(unit_id, at)).map((key) => [
        key.lock_id,
        key.tenant_id,
        key.expires_at,
      ]);
    expect(await ofUnit('U1', now)).toEqual([
      ['LOCK1', 'T1', now + 2 * hour],
      ['GATE1', 'T1', now + 3 * hour],
    ]);
    expect(await ofUnit('U1', now + 2 * hour)).toEqual([['GATE1', 'T1', now + 3 * hour]]);
    expect(await ofUnit('U2', now)).toHaveLength(2);
    expect(await issues.outstanding(['LOCK1', 'LOCK2'], now)).toEqual([
      [
        { lock_id: 'LOCK1', tenant_id: 'T1', expires_at: now + 2 * hour },
        { lock_id: 'LOCK1', tenant_id: 'T2', expires_at: now + 3 * hour },
      ],
      [],
    ]);
    expect(await issues.outstanding(['LOCK1'], now + 2 * hour)).toEqual([
      [{ lock_id: 'LOCK1', tenant_id: 'T2', expires_at: now + 3 * hour }],
    ]);
  });

  it('tell which worked at an instant, for as long as none of them is forgotten', async () => {
    const issues = new KeyIssues(world.records);
    const first = world.clock.now();
    const given = (lock_id: string, hours: number) =>
      issues.record(
        [{ lock_id, tenant_id: 'T1', expires_at: first + hours * hour, unit_ids: ['U1'] }],
        world.clock.now(),
      );
    await given('LOCK1', 2);
    world.clock.advance(hour);
    await given('LOCK2', 3);
    const held = async (at: number, now = world.clock.now()) =>
      (await issues.heldForUnit('U1', at, now))?.map(({ lock_id }) => lock_id);
    expect(await held(first - 1)).toEqual([]);
    expect(await held(first)).toEqual(['LOCK1']);
    expect(await held(first + hour)).toEqual(['LOCK1', 'LOCK2']);
    expect(await held(first + 2 * hour)).toEqual(['LOCK2']);
    expect(await held(first, first + 30 * 24 * hour)).toEqual(['LOCK1']);
    expect(await held(first, first + 30 * 24 * hour + 1)).toBeUndefined();
  });

  it('are of every unit that brought the key, of however many processes, and write nothing once they are', async () => {
    const counted = counting(world.records);
    const processes = [1, 2, 3, 4].map(() => new KeyIssues(counted.store));
    const now = world.clock.now();
    const gates = ['GATE1', 'GATE2', 'GATE3'];
    const given = (...unit_ids: string[]) =>
      gates.map((lock_id) => ({ lock_id, tenant_id: 'T1', expires_at: now + hour, unit_ids }));
    const [first] = processes;
    await first!.record(given('U0'), world.clock.now());
    world.clock.advance(hour / 2);
    await Promise.all(
      processes.map((issues, number) => issues.record(given('U0', `U${number + 1}`), world.clock.now())),
    );
    for (const unit_id of ['U0', 'U1', 'U2', 'U3', 'U4']) {
      const keys = await first!.outstandingForUnit(unit_id, now);
      expect(keys.map(({ lock_id }) => lock_id)).toEqual(gates);
    }
    expect(await first!.hadKey('GATE1', 'T1', now)).toBe(true);
    const before = counted.writes();
    await first!.record(given('U1'), world.clock.now());
    await Promise.all(
      processes.map((issues, number) => issues.record(given('U0', `U${number + 1}`), world.clock.now())),
    );
    expect(counted.writes()).toBe(before);
  });

  it('are of every unit that brought the same key at once', async () => {
    const issues = new KeyIssues(world.records);
    const now = world.clock.now();
    const given = (unit_id: string) => [
      { lock_id: 'GATE1', tenant_id: 'T1', expires_at: now + hour, unit_ids: [unit_id] },
    ];
    await issues.record([...given('U1'), ...given('U2')], world.clock.now());
    for (const unit_id of ['U1', 'U2']) expect(await issues.outstandingForUnit(unit_id, now)).toHaveLength(1);
  });

  it('are forgotten 30 days after the key has ended', async () => {
    const issues = new KeyIssues(world.records);
    const expires_at = world.clock.now() + hour;
    await issues.record(
      [{ lock_id: 'LOCK1', tenant_id: 'T1', expires_at, unit_ids: ['U1'] }],
      world.clock.now(),
    );
    world.clock.advance(30 * 24 * hour);
    expect(await issues.hadKey('LOCK1', 'T1', expires_at - 1)).toBe(true);
    expect(await issues.hadKey('LOCK1', 'T1', expires_at)).toBe(false);
    expect(await issues.hadKey('LOCK1', 'T2', expires_at - 1)).toBe(false);
    expect(await issues.hadKey('LOCK2', 'T1', expires_at - 1)).toBe(false);
    world.clock.advance(hour);
    expect(await issues.hadKey('LOCK1', 'T1', expires_at - 1)).toBe(false);
  });
});
