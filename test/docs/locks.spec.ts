import { HmacKeyIssuer } from '#domain/locks/index.js';
import { LOCKS_PAGE as page, opens } from '../support/lock-verifier.js';

const LOCK = '01JB0LOCK00000000000000001';
const GATE = '01JB0GATE00000000000000001';
const expires_at = Date.parse('2026-11-22T08:00:00.000Z');
const issuer = new HmacKeyIssuer(Buffer.from('test vectors only, never a real secret'));

const grant = {
  lock_id: LOCK,
  unit_id: '01JB0UNIT00000000000000001',
  tenancy_id: '01JB0STAY00000000000000001',
  tenant_id: '01JB0TENANT000000000000001',
  expires_at,
  valid_from: null,
  key_format: 1,
  sandbox: false,
} as const;
const keys: Readonly<Record<string, string>> = {
  [LOCK]: issuer.issue(grant),
  [GATE]: issuer.issue({ ...grant, lock_id: GATE, unit_id: null, tenancy_id: null }),
};

const valid_from = Date.parse('2026-11-22T06:00:00.000Z');
/** The key to the gate that opens from an instant on, and the same of a sandbox. */
const later = {
  ...grant,
  lock_id: GATE,
  unit_id: null,
  tenancy_id: null,
  valid_from,
  key_format: 3,
} as const;
const begun = issuer.issue(later);

/** The key to the lock again, as a sandbox gives it out. */
const played = issuer.issue({ ...grant, sandbox: true });

describe('the page for makers of locks', () => {
  it('has the test vectors that the service would make', () => {
    expect(page).toContain(`(${expires_at})`);
    for (const lock_id of [LOCK, GATE]) {
      const { key } = issuer.provisioning(lock_id, 1);
      expect(page).toMatch(new RegExp(`\\| \`${lock_id}\` +\\| \`${key}\` +\\|`));
      expect(page).toContain(`\n${keys[lock_id]}\n`);
    }
  });

  it('has the key of a sandbox, to which the verifier opens never', () => {
    expect(page).toContain(`\n${played}\n`);
    const secret = Buffer.from(issuer.provisioning(LOCK, 1).key, 'base64url');
    expect(opens(played, LOCK, secret, 0)).toBe(false);
    // Its mark is signed: with the payload of another key the signature is wrong.
    const moved = `${keys[LOCK]!.split('.')[0]}.${played.split('.')[1]}`;
    expect(opens(moved, LOCK, secret, 0)).toBe(false);
  });

  it('has a key with a beginning, which opens from then on', () => {
    const secret = Buffer.from(issuer.provisioning(GATE, 3).key, 'base64url');
    expect(page).toContain(`(${valid_from})`);
    expect(page).toContain(`\n${begun}\n`);
    expect(opens(begun, GATE, secret, valid_from - 1)).toBe(false);
    expect(opens(begun, GATE, secret, valid_from)).toBe(true);
    expect(opens(begun, GATE, secret, expires_at - 1)).toBe(true);
    expect(opens(begun, GATE, secret, expires_at)).toBe(false);
  });

  it('has the key with a beginning of a sandbox, which opens never', () => {
    const sandboxed = issuer.issue({ ...later, sandbox: true });
    const secret = Buffer.from(issuer.provisioning(GATE, 3).key, 'base64url');
    expect(page).toContain(`\n${sandboxed}\n`);
    expect(opens(sandboxed, GATE, secret, valid_from)).toBe(false);
  });

  it('has a verifier that opens to them, and to nothing else', () => {
    const secretOf = (lock_id: string) => Buffer.from(issuer.provisioning(lock_id, 1).key, 'base64url');
    for (const [lock_id, key] of Object.entries(keys)) {
      const other = lock_id === LOCK ? GATE : LOCK;
      expect(opens(key, lock_id, secretOf(lock_id), expires_at - 1)).toBe(true);
      expect(opens(key, lock_id, secretOf(lock_id), expires_at)).toBe(false);
      expect(opens(key, other, secretOf(lock_id), expires_at - 1)).toBe(false);
      expect(opens(key, other, secretOf(other), expires_at - 1)).toBe(false);
      for (let place = 0; place < key.length; place += 1) {
        const changed = `${key.slice(0, place)}${key[place] === 'A' ? 'B' : 'A'}${key.slice(place + 1)}`;
        expect(opens(changed, lock_id, secretOf(lock_id), expires_at - 1)).toBe(false);
        expect(opens(key.slice(0, place), lock_id, secretOf(lock_id), expires_at - 1)).toBe(false);
      }
    }
  });
});
