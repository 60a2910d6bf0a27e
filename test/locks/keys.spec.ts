import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundedMap } from '../../src/locks/bounded-map.js';
import type { KeyGrant } from '../../src/locks/index.js';
import { HmacKeyIssuer, keyExpiry, masterSecret } from '../../src/locks/index.js';
import { resultsAtOnce } from '../support/barrier.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const grant: KeyGrant = {
  lock_id: 'LOCK1',
  unit_id: 'UNIT1',
  tenancy_id: 'STAY1',
  tenant_id: 'TENANT1',
  expires_at: NOW + 60_000,
};

describe('a key', () => {
  const issuer = new HmacKeyIssuer(Buffer.from('a master secret of some length'));

  it('is the same for the same grant, whoever derives it', () => {
    const other = new HmacKeyIssuer(Buffer.from('a master secret of some length'));
    expect(issuer.issue(grant)).toBe(other.issue(grant));
    expect(issuer.issue(grant)).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  });

  it('differs with every part of the grant and with the master secret', () => {
    const variants = [
      grant,
      { ...grant, lock_id: 'LOCK2' },
      { ...grant, unit_id: null },
      { ...grant, tenancy_id: 'STAY2' },
      { ...grant, tenant_id: 'TENANT2' },
      { ...grant, expires_at: grant.expires_at + 1 },
    ].map((variant) => issuer.issue(variant));
    variants.push(new HmacKeyIssuer(Buffer.from('another')).issue(grant));
    expect(new Set(variants).size).toBe(7);
  });

  it('opens its lock until it expires, and no other lock', () => {
    const key = issuer.issue(grant);
    expect(issuer.verify('LOCK1', key, NOW)).toEqual({ kind: 'opens', grant });
    expect(issuer.verify('LOCK1', key, grant.expires_at - 1)).toEqual({ kind: 'opens', grant });
    expect(issuer.verify('LOCK1', key, grant.expires_at)).toEqual({ kind: 'refused', because: 'expired' });
    expect(issuer.verify('LOCK2', key, NOW)).toEqual({ kind: 'refused', because: 'forged' });
  });

  it('is refused with any character changed, added or removed', () => {
    const key = issuer.issue(grant);
    for (let index = 0; index < key.length; index += 1) {
      const changed = key[index] === 'A' ? 'B' : 'A';
      const forged = `${key.slice(0, index)}${changed}${key.slice(index + 1)}`;
      expect(issuer.verify('LOCK1', forged, NOW).kind).toBe('refused');
      expect(issuer.verify('LOCK1', key.slice(0, index), NOW).kind).toBe('refused');
    }
    for (const forged of ['', '.', '..', `${key}.`, `${key}A`, `.${key}`]) {
      expect(issuer.verify('LOCK1', forged, NOW).kind).toBe('refused');
    }
  });
});

describe('the end of a key', () => {
  const day = 24 * 60 * 60_000;
  // Days begin at 06:00 UTC in this calendar.
  const calendar = {
    dateAt: (instant: number) => new Date(instant - day / 4).toISOString().slice(0, 10),
    startOf: (date: string) => Date.parse(`${date}T06:00:00Z`),
    addDays: (date: string, days: number) =>
      new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10),
  };
  const end = (now: string, valid_until: string | null) =>
    new Date(
      keyExpiry(
        {
          now: Date.parse(now),
          valid_until: valid_until === null ? null : Date.parse(valid_until),
          timezone: 'America/Chicago',
        },
        calendar,
      ),
    ).toISOString();

  it.each([
    ['2026-01-01T06:00:00.000Z', null, '2026-01-02T08:00:00.000Z'],
    ['2026-01-02T05:59:59.999Z', null, '2026-01-02T08:00:00.000Z'],
    ['2026-01-02T06:00:00.000Z', null, '2026-01-03T08:00:00.000Z'],
    ['2026-01-01T06:00:00.000Z', '2026-01-02T06:00:00.000Z', '2026-01-02T06:00:00.000Z'],
    ['2026-01-01T06:00:00.000Z', '2026-01-09T06:00:00.000Z', '2026-01-02T08:00:00.000Z'],
  ])('at %s with a decision until %s is %s', (now, valid_until, expected) => {
    expect(end(now, valid_until)).toBe(expected);
  });
});

describe('the master secret', () => {
  it('is made once, even by several at the same time, and readable by its owner only', async () => {
    const folder = await temporaryFolder();
    const made = await resultsAtOnce(
      Array.from({ length: 10 }, () => () => masterSecret(undefined, folder.path)),
    );
    expect(new Set(made.map((secret) => secret.toString('hex'))).size).toBe(1);
    expect(made[0]).toHaveLength(32);
    expect(await masterSecret(undefined, folder.path)).toEqual(made[0]);
    const files = await readdir(folder.path);
    expect(files).toEqual(['key-master-secret']);
    expect((await stat(join(folder.path, files[0]!))).mode & 0o777).toBe(0o600);
    await folder.remove();
  });

  it('is the configured one where there is one, and never a damaged one', async () => {
    const folder = await temporaryFolder();
    expect((await masterSecret('configured', folder.path)).toString()).toBe('configured');
    expect(await readdir(folder.path)).toEqual([]);
    await writeFile(join(folder.path, 'key-master-secret'), 'half');
    await expect(masterSecret(undefined, folder.path)).rejects.toThrow('The kept master secret is damaged.');
    await folder.remove();
  });
});

describe('a bounded map', () => {
  it('drops what was used least recently', () => {
    const map = new BoundedMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });
});
