import { decodeTime, isValid } from 'ulid';
import { ascendingUlids, ulidsOf } from '#kernel/ids.js';

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

  it('of two commands of one millisecond differ, and are the same at each attempt', () => {
    const commands = ulidsAt(Array<number>(100).fill(2_000));
    const made = (command_id: string) => Array.from({ length: 100 }, ulidsOf(command_id));
    const all = commands.flatMap(made);
    expect(new Set([...commands, ...all]).size).toBe(100 + 100 * 100);
    expect(made(commands[0]!)).toEqual(all.slice(0, 100));
    expect(all.every((ulid) => isValid(ulid) && decodeTime(ulid) === 2_000)).toBe(true);
    expect(made(commands[1]!)).toEqual([...made(commands[1]!)].sort());
  });
});
