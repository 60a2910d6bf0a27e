import { decodeTime, isValid } from 'ulid';
import { ascendingUlids } from '../../src/config/ids.js';

/** ULIDs that are made while the clock shows these instants. */
function ulidsAt(instants: readonly number[]): string[] {
  let made = 0;
  const next = ascendingUlids(() => instants[made++]!);
  return instants.map(next);
}

describe('ULIDs', () => {
  it('hold their instant and a random part of their own', () => {
    const instants = Array.from({ length: 1_000 }, (_, number) => 1_764_000_000_000 + number);
    const made = ulidsAt(instants);
    expect(made.every((ulid) => isValid(ulid))).toBe(true);
    expect(made.map((ulid) => decodeTime(ulid))).toEqual(instants);
    expect(new Set(made.map((ulid) => ulid.slice(10))).size).toBe(1_000);
    expect(new Set(made.flatMap((ulid) => [...ulid.slice(10)])).size).toBe(32);
  });

  it('ascend within a millisecond, and where the clock goes back', () => {
    const made = ulidsAt([...Array<number>(1_000).fill(2_000), 1_000, 2_001]);
    expect(made).toEqual([...new Set(made)].sort());
    expect(made).toHaveLength(1_002);
  });
});
