import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HmacKeyIssuer, keyExpiry, type KeyGrant, readMasterSecret } from '#domain/locks/index.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { MASTER_SECRETS } from '#domain/locks/keys/master-secret.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../../support/embedded-world.js';
import { opensLock } from '../../support/lock-verifier.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const grant: KeyGrant = {
  lock_id: 'LOCK1',
  unit_id: 'UNIT1',
  tenancy_id: 'STAY1',
  tenant_id: 'TENANT1',
  expires_at: NOW + 60_000,
  valid_from: null,
  key_format: 1,
  sandbox: false,
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
      { ...grant, sandbox: true },
      { ...grant, key_format: 3 as const },
      { ...grant, key_format: 3 as const, valid_from: NOW },
    ].map((variant) => issuer.issue(variant));
    variants.push(new HmacKeyIssuer(Buffer.from('another')).issue(grant));
    expect(new Set(variants).size).toBe(10);
  });

  it('opens its lock until it expires, and no other lock', () => {
    const key = issuer.issue(grant);
    expect(opensLock(issuer, 'LOCK1', key, NOW)).toBe(true);
    expect(opensLock(issuer, 'LOCK1', key, grant.expires_at - 1)).toBe(true);
    expect(opensLock(issuer, 'LOCK1', key, grant.expires_at)).toBe(false);
    expect(opensLock(issuer, 'LOCK2', key, NOW)).toBe(false);
  });

  it('of format 3 opens its lock from its beginning on', () => {
    const key = issuer.issue({ ...grant, key_format: 3, valid_from: NOW });
    expect(opensLock(issuer, 'LOCK1', key, NOW - 1)).toBe(false);
    expect(opensLock(issuer, 'LOCK1', key, NOW)).toBe(true);
    expect(opensLock(issuer, 'LOCK1', key, grant.expires_at)).toBe(false);
  });

  it('of format 3 without a beginning opens at once', () => {
    expect(opensLock(issuer, 'LOCK1', issuer.issue({ ...grant, key_format: 3 }), 0)).toBe(true);
  });

  it('of format 1 has no beginning', () => {
    expect(() => issuer.issue({ ...grant, valid_from: NOW })).toThrow('cannot say when it begins');
  });

  it('of format 3 opens nothing in a sandbox', () => {
    const key = issuer.issue({ ...grant, key_format: 3, valid_from: NOW, sandbox: true });
    expect(opensLock(issuer, 'LOCK1', key, NOW)).toBe(false);
  });

  it('of a sandbox opens nothing, not even its own lock, and is one that was made here', () => {
    const key = issuer.issue({ ...grant, sandbox: true });
    expect(opensLock(issuer, 'LOCK1', key, NOW)).toBe(false);
    expect(opensLock(issuer, 'LOCK1', key, grant.expires_at)).toBe(false);
    // The mark stands in what is signed: with the signature of a sandbox's key nothing else is.
    const [payload] = issuer.issue(grant).split('.');
    const moved = `${payload}.${key.split('.')[1]}`;
    expect(opensLock(issuer, 'LOCK1', moved, NOW)).toBe(false);
  });

  it('is refused with any character changed, added or removed', () => {
    const key = issuer.issue(grant);
    for (let index = 0; index < key.length; index += 1) {
      const changed = key[index] === 'A' ? 'B' : 'A';
      const forged = `${key.slice(0, index)}${changed}${key.slice(index + 1)}`;
      expect(opensLock(issuer, 'LOCK1', forged, NOW)).toBe(false);
      expect(opensLock(issuer, 'LOCK1', key.slice(0, index), NOW)).toBe(false);
    }
    // Spare bits: as bytes the payload is the same.
    const [payload = '', signature = ''] = issuer.issue({ ...grant, tenant_id: 'TENANT' }).split('.');
    const next = String.fromCharCode(payload.charCodeAt(payload.length - 1) + 1);
    const respelt = `${payload.slice(0, -1)}${next}`;
    expect(Buffer.from(respelt, 'base64url')).toEqual(Buffer.from(payload, 'base64url'));
    expect(opensLock(issuer, 'LOCK1', `${respelt}.${signature}`, NOW)).toBe(false);
    for (const forged of ['', '.', '..', `${key}.`, `${key}A`, `.${key}`]) {
      expect(opensLock(issuer, 'LOCK1', forged, NOW)).toBe(false);
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
  let world: EmbeddedWorld;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let data_dir: string;
  beforeEach(async () => {
    world = await openEmbeddedWorld();
    folder = await temporaryFolder();
    data_dir = folder.path;
  });
  afterEach(async () => {
    await world.close();
    await folder.remove();
  });

  const started = (key_master_secret?: string, key_master_secret_rotate = false) =>
    readMasterSecret({ key_master_secret, key_master_secret_rotate, data_dir }, world.records);

  it('is made once, even by several at the same time, and readable by its owner only', async () => {
    const made = await resultsAtOnce(Array.from({ length: 10 }, () => () => started()));
    expect(new Set(made.map((secret) => secret.toString('hex'))).size).toBe(1);
    expect(made[0]!.length).toBeGreaterThanOrEqual(32);
    expect(await started()).toEqual(made[0]);
    const files = await readdir(data_dir);
    expect(files).toEqual(['key-master-secret']);
    expect((await stat(join(data_dir, files[0]!))).mode & 0o777).toBe(0o600);
  });

  it('is the same bytes in the variable as in the file that was made', async () => {
    const made = await started();
    const text = (await readFile(join(data_dir, 'key-master-secret'), 'utf8')).trim();
    await rm(join(data_dir, 'key-master-secret'));
    expect(await started(text)).toEqual(made);
  });

  it('is never a damaged one', async () => {
    await writeFile(join(data_dir, 'key-master-secret'), 'half');
    await expect(started()).rejects.toThrow('The stored master secret is damaged.');
  });

  it.each([
    ['another one', 'another secret of 32 characters or more', /^KEY_MASTER_SECRET is not the one .*\.$/],
    ['none, the file being gone,', undefined, /^KEY_MASTER_SECRET is not set, and .* is gone\. .*\.$/],
  ])('is demanded again: %s is refused in one line, and taken where told so', async (_what, other, line) => {
    await started();
    const text = await readFile(join(data_dir, 'key-master-secret'), 'utf8');
    await rm(join(data_dir, 'key-master-secret'));
    const refused = { code: 'other_master_secret', message: expect.stringMatching(line) };
    await expect(started(other)).rejects.toMatchObject(refused);
    await expect(started(other)).rejects.not.toThrow(/\n/);
    expect(await readdir(data_dir)).toEqual([]);
    const rotated = await started(other, true);
    expect(await started(other)).toEqual(rotated);
    await expect(started(text.trim())).rejects.toMatchObject({ code: 'other_master_secret' });
  });

  it('is not told by the records', async () => {
    const secret = 'a secret of thirty-two characters';
    await started(secret);
    const stored = await (await world.records.collection(MASTER_SECRETS)).get('master_secret');
    expect(stored!.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});
