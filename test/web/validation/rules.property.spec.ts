import { isEmail } from 'class-validator';
import fc from 'fast-check';
import { codePoints, emailRule } from '#web/validation/rules.js';
import { anyCharacter } from '../../support/any-text.js';
import { runs } from '../../support/campaign.js';

describe('email addresses', () => {
  it('are those of class-validator', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aZ0_+-.@é'), maxLength: 70 });
    const long = fc.stringMatching(/^[a-z]{60,68}@[a-z]{55,68}\.com$/);
    const short = fc.stringMatching(/^[a.-]{1,4}@[a0.-]{1,5}\.[a0-]{1,3}$/);
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), text, long, short), (address) => {
        expect(emailRule(address) === undefined).toBe(isEmail(address));
      }),
      runs(1_000),
    );
  });
});

describe('length', () => {
  it('is counted in code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) =>
        expect(codePoints(text)).toBe([...text].length),
      ),
    );
    expect(codePoints('\ud83d')).toBe(1);
  });
});
