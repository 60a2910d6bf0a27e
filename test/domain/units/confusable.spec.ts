import { hasOuterSpace, otherForms } from '#domain/units/core/confusable.js';

const COMPOSED = 'Caf\u00e9 1';
const DECOMPOSED = 'Cafe\u0301 1';

describe('an identifier', () => {
  test('of plain letters and digits has no other form', () => {
    expect(otherForms('A-101')).toEqual([]);
  });

  test('has the form that it is not written in', () => {
    expect(otherForms(COMPOSED)).toEqual([DECOMPOSED]);
    expect(otherForms(DECOMPOSED)).toEqual([COMPOSED]);
  });

  test('that mixes the forms has both pure ones', () => {
    expect(otherForms(`${COMPOSED} ${DECOMPOSED}`)).toEqual([
      `${COMPOSED} ${COMPOSED}`,
      `${DECOMPOSED} ${DECOMPOSED}`,
    ]);
  });

  test('may have white space within, not around', () => {
    expect(['A 101', ' A101', 'A101\t', ' '].map(hasOuterSpace)).toEqual([false, true, true, true]);
  });
});
