import { KeyIssues } from '#domain/locks/index.js';
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

  it('are of a unit since it brought the key, whichever unit had before', async () => {
    const issues = new KeyIssues(world.records);
    const first = world.clock.now();
    const given = (...unit_ids: string[]) =>
      issues.record(
        [{ lock_id: 'GATE1', tenant_id: 'T1', expires_at: first + 24 * hour, unit_ids }],
        world.clock.now(),
      );
    await given('U1');
    for (const unit_id of ['U2', 'U3']) {
      world.clock.advance(hour);
      await given('U1', unit_id);
    }
    world.clock.advance(hour);
    await new KeyIssues(world.records).record(
      [{ lock_id: 'GATE1', tenant_id: 'T1', expires_at: first + 24 * hour, unit_ids: ['U1', 'U2', 'U3'] }],
      world.clock.now(),
    );
    const holders = async (at: number) => {
      const units = ['U1', 'U2', 'U3'];
      const held = await Promise.all(
        units.map((unit_id) => issues.heldForUnit(unit_id, at, world.clock.now())),
      );
      return units.filter((_, place) => held[place]!.length > 0);
    };
    expect(await holders(first - 1)).toEqual([]);
    expect(await holders(first)).toEqual(['U1']);
    expect(await holders(first + hour - 1)).toEqual(['U1']);
    expect(await holders(first + hour)).toEqual(['U1', 'U2']);
    expect(await holders(first + 2 * hour)).toEqual(['U1', 'U2', 'U3']);
    expect(await issues.hadKey('GATE1', 'T1', first)).toBe(true);
  });

  it('are of all their units from the first issue where they were recorded without the others’ instants', async () => {
    const issues = new KeyIssues(world.records);
    const issued_at = world.clock.now();
    const key = { lock_id: 'GATE1', tenant_id: 'T1', expires_at: issued_at + hour };
    const document = {
      _id: `GATE1|T1|${key.expires_at}`,
      version: 2,
      ...key,
      unit_ids: ['U1', 'U2'],
      issued_at,
      forget_at: key.expires_at + 30 * 24 * hour,
    };
    await issues.outstanding(['GATE1'], issued_at);
    await world.records.write([{ kind: 'insert', collection: 'key_issues', document }]);
    world.clock.advance(hour / 2);
    await issues.record([{ ...key, unit_ids: ['U2', 'U3'] }], world.clock.now());
    const held = (unit_id: string, at: number) => issues.heldForUnit(unit_id, at, world.clock.now());
    for (const unit_id of ['U1', 'U2']) expect(await held(unit_id, issued_at)).toEqual([key]);
    expect(await held('U3', world.clock.now() - 1)).toEqual([]);
    expect(await held('U3', world.clock.now())).toEqual([key]);
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
