import { readOptions, USAGE, UsageError } from '../../../tools/demo/options.js';

describe('options of the demonstration', () => {
  it('are told, and taken as they are given', () => {
    expect(readOptions([])).toEqual({ keep: false, help: false });
    for (const name of ['keep', 'help']) {
      expect(USAGE).toContain(`--${name} `);
      expect(readOptions([`--${name}`])).toMatchObject({ [name]: true });
    }
    expect(readOptions(['-h']).help).toBe(true);
  });

  it.each(['--kept', 'keep'])('are refused where they are none: %s', (word) => {
    expect(() => readOptions([word])).toThrow(UsageError);
  });
});
