import { Slots } from '#kernel/slots.js';
import { Passwords } from '#domain/operators/index.js';
import { ManualClock } from '../../support/manual-clock.js';

/** Attempts that are held up, as everything runs on the clock of the test. */
async function settled(attempts: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(attempts);
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? String(outcome.value) : (outcome.reason as { code: string }).code,
  );
}

describe('passwords', () => {
  const clock = new ManualClock();
  let passwords: Passwords;
  let hashed: string;
  beforeAll(async () => {
    passwords = new Passwords(clock);
    hashed = await passwords.hash('a good password');
  });

  it('cost what OWASP asks at least, unless somebody says otherwise', () => {
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('are compared two at once; eight wait, and the rest is refused at once', async () => {
    const attempts = Array.from({ length: 30 }, () => passwords.matches('a good password', hashed, false));
    const outcomes = await settled(attempts);
    expect(outcomes).toEqual([
      ...Array.from({ length: 10 }, () => 'true'),
      ...Array.from({ length: 20 }, () => 'rate_limited'),
    ]);
  });

  it('wait two seconds at most', async () => {
    const attempts = Array.from({ length: 10 }, () => passwords.matches('wrong', hashed, false));
    clock.advance(2_000);
    expect(await settled(attempts)).toEqual([
      ...Array.from({ length: 2 }, () => 'false'),
      ...Array.from({ length: 8 }, () => 'rate_limited'),
    ]);
    // What has given up holds nobody's place.
    expect(await passwords.matches('a good password', hashed, false)).toBe(true);
  });

  it('of a request that is over are not hashed', async () => {
    const deadline = { isOver: false };
    const hashes = [undefined, undefined, deadline, undefined].map((of) => passwords.hash('any', of));
    deadline.isOver = true;
    const outcomes = await settled(hashes);
    expect(outcomes.map((outcome) => outcome.slice(0, 9))).toEqual([
      '$argon2id',
      '$argon2id',
      'given_up',
      '$argon2id',
    ]);
  });

  it('of those who were here before are compared before a crowd of strangers', async () => {
    const taken = jest.spyOn(Slots.prototype, 'take');
    const compared = (isKnown: boolean) => passwords.matches('a good password', hashed, isKnown);
    const attempts = [...Array.from({ length: 10 }, () => compared(false)), compared(true)];
    const begun: unknown[] = [];
    taken.mock.results.forEach(({ value }, place) => {
      void (value as Promise<unknown>).then(() => begun.push(taken.mock.calls[place]![0]));
    });
    await settled(attempts);
    taken.mockRestore();
    expect(begun.slice(0, 3)).toEqual([false, false, true]);
  });

  it('are never right where there is nothing to compare with', async () => {
    for (const password of ['nobody', '', 'a good password']) {
      expect(await passwords.matches(password, undefined)).toBe(false);
    }
  });
});
