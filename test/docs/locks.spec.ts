import { HmacKeyIssuer } from '../../src/locks/index.js';
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
  sandbox: false,
};
const keys: Readonly<Record<string, string>> = {
  [LOCK]: issuer.issue(grant),
  [GATE]: issuer.issue({ ...grant, lock_id: GATE, unit_id: null, tenancy_id: null }),
};

/** The key to the lock again, as a sandbox gives it out. */
const played = issuer.issue({ ...grant, sandbox: true });

describe('the page for makers of locks', () => {
  it('has the test vectors that the service would make', () => {
    expect(page).toContain(`(${expires_at})`);
    for (const lock_id of [LOCK, GATE]) {
      const { key } = issuer.provisioning(lock_id);
      expect(page).toMatch(new RegExp(`\\| \`${lock_id}\` +\\| \`${key}\` +\\|`));
      expect(page).toContain(`\n${keys[lock_id]}\n`);
    }
  });

  it('has the key of a sandbox, to which the verifier opens never', () => {
    expect(page).toContain(`\n${played}\n`);
    const secret = Buffer.from(issuer.provisioning(LOCK).key, 'base64url');
    expect(opens(played, LOCK, secret, 0)).toBe(false);
    // Its mark is signed: with the payload of another key the signature is wrong.
    const moved = `${keys[LOCK]!.split('.')[0]}.${played.split('.')[1]}`;
    expect(opens(moved, LOCK, secret, 0)).toBe(false);
  });

  it('has a verifier that opens to them, and to nothing else', () => {
    const secretOf = (lock_id: string) => Buffer.from(issuer.provisioning(lock_id).key, 'base64url');
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
