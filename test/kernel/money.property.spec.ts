import fc from 'fast-check';
import { fromCents, hasWholeCents, toCents } from '#kernel/money.js';

const cents = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });

describe('money', () => {
  it('goes to cents and back without a loss, over its JSON text too', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const shown = JSON.parse(JSON.stringify(fromCents(amount))) as number;
        expect(toCents(shown)).toBe(amount);
      }),
    );
  });

  it('with a third decimal is refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        (whole, mill) => {
          expect(hasWholeCents(Number(`${whole}.00${mill}`))).toBe(false);
        },
      ),
    );
  });

  it('agrees with the decimal text', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (amount) => {
        const text = String(amount);
        const plain = /^-?\d+(\.\d{1,2})?$/.test(text);
        expect(hasWholeCents(amount)).toBe(plain);
      }),
    );
  });

  it('knows no minus zero, and refuses what is no amount', () => {
    expect(Object.is(toCents(-0), 0)).toBe(true);
    for (const amount of [0.1 + 0.2, 1e11, NaN, Infinity]) expect(() => toCents(amount)).toThrow(RangeError);
  });
});
