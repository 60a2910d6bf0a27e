import { RecentValues } from '#stores/embedded/database/recent-values.js';

const LARGE = 262_144;
const SIZES = { characters: 1_000_000, largeCharacters: 10_000_000 };

describe('recent values', () => {
  test('keep a value that is larger than the room of all small ones', () => {
    const recent = new RecentValues(SIZES);
    const value = { zones: [] };
    recent.set('location', value, 9_000_000);
    expect(recent.get('location')).toBe(value);
  });

  test('keep small values when large ones come', () => {
    const recent = new RecentValues(SIZES);
    recent.set('unit', { unit: 1 }, 500);
    for (let number = 0; number < 100; number += 1) recent.set(`tenant ${number}`, {}, LARGE);
    expect(recent.get('unit')).toEqual({ unit: 1 });
  });

  test('forget the large ones that were used least, beyond their room', () => {
    const recent = new RecentValues(SIZES);
    for (let number = 0; number < 3; number += 1) recent.set(`tenant ${number}`, {}, 4_000_000);
    expect(recent.get('tenant 0')).toBeUndefined();
    expect(recent.get('tenant 2')).toBeDefined();
  });

  test.each([
    ['grows large', LARGE - 1, LARGE],
    ['shrinks', LARGE, LARGE - 1],
    ['grows beyond all room', LARGE, SIZES.largeCharacters + 1],
  ])('never show the old value of a key whose value %s', (_how, before, after) => {
    const recent = new RecentValues(SIZES);
    recent.set('key', { is: 'old' }, before);
    recent.set('key', { is: 'new' }, after);
    expect(recent.get('key')).not.toEqual({ is: 'old' });
    recent.delete('key');
    expect(recent.get('key')).toBeUndefined();
  });
});
