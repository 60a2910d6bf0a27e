import { Secret, TOTP } from 'otpauth';
import { inGroups, plainCode, type SecondFactor, useCode } from '#domain/operators/core/second-factor.js';
import { base32Of, stepOf, totpUri } from '#domain/operators/totp.js';

const factor: SecondFactor = { sealed_secret: 'sealed', last_step: 10, recovery_hashes: ['a', 'b'] };

describe('a code of the second factor', () => {
  it('of a newer time step is used, and neither it nor an older one again', () => {
    expect(useCode(factor, { step: 11 })).toEqual({ ...factor, last_step: 11 });
    expect(useCode(factor, { step: 10 })).toBeUndefined();
    expect(useCode(factor, { step: 9 })).toBeUndefined();
  });

  it('for recovery is used once', () => {
    const after = { ...factor, recovery_hashes: ['b'] };
    expect(useCode(factor, { recovery_hash: 'a' })).toEqual(after);
    expect(useCode(after, { recovery_hash: 'a' })).toBeUndefined();
  });

  it('that means nothing is refused', () => {
    expect(useCode(factor, {})).toBeUndefined();
  });

  it('is read however it is typed', () => {
    expect(plainCode(' ab-cd 12\t')).toBe('ABCD12');
    expect(inGroups('ABCDEFGHIJ')).toBe('ABCD-EFGH-IJ');
  });
});

describe('a time step', () => {
  const secret = base32Of(Buffer.from('12345678901234567890'));

  // RFC 6238, appendix B, last six digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [20000000000, '353130'],
  ])('at %d s has the code that the RFC names', (seconds, code) => {
    expect(stepOf(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  it('counts one step early and late, and no further', () => {
    const now = 1_000_000_000_000;
    const step = Math.floor(now / 30_000);
    const codeAt = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 });
    expect([-2, -1, 0, 1, 2].map((steps) => stepOf(secret, codeAt(steps), now))).toEqual([
      undefined,
      step - 1,
      step,
      step + 1,
      undefined,
    ]);
  });

  it('is known from a link that authenticators read', () => {
    expect(totpUri(secret, 'ada@example.com')).toBe(
      `otpauth://totp/Storage%20Access:ada%40example.com?issuer=Storage%20Access&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
