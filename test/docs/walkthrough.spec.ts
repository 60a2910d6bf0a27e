import { parseShell, readCurl } from './shell.js';
import { differences } from './shown.js';
import { fencedBlocks, Walkthrough } from './walkthrough.js';

const read = (text: string, variables: Record<string, string> = {}) =>
  parseShell(text, () => variables).map((statement) => statement());

describe('the reader of shell lines', () => {
  it('takes the default of an unset variable', () => {
    const line = 'tail "${DATA_DIR:-data}/a" $BASE';
    expect(read(line, { BASE: 'b' })).toEqual([{ words: ['tail', 'data/a', 'b'], comment: '' }]);
    expect(read(line, { BASE: 'b', DATA_DIR: '/d' })[0]!.words[1]).toBe('/d/a');
  });

  it('refuses an unset variable and an open quote', () => {
    expect(() => read('curl $BASE/x')).toThrow('$BASE is not set');
    expect(() => read(`curl 'x`)).toThrow('An open quote');
  });
});

describe('the reader of curl', () => {
  it('refuses what it does not know', () => {
    expect(() => readCurl(['curl', '--compressed', 'http://x'])).toThrow('Unknown option');
    expect(() => readCurl(['curl', '-sS'])).toThrow('No address');
  });
});

describe('a shown answer', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: '…' }, { a: [1, 2] }, []],
    [{ a: 1, '…': '…' }, { a: 1, b: 2 }, []],
    [{ a: 1 }, { a: 2 }, ['answer.a is 2']],
    [{ a: 1 }, { a: 1, b: 2 }, ['answer.b is not shown']],
    [{ a: '…' }, {}, ['answer.a is missing']],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['answer.a.0.b is 2']],
    [{ a: [] }, { a: [1] }, ['answer.a is [1]']],
    [{ a: {} }, { a: null }, ['answer.a is null']],
  ])('%j against %j', (shown, actual, faults) => {
    expect(differences(shown, actual)).toEqual(faults);
  });
});

describe('a walkthrough', () => {
  it('reports a value that is nowhere and a command that nobody knows', async () => {
    const walkthrough = new Walkthrough({ url: 'http://x', data_dir: '.', password: 'p' });
    await walkthrough.play(fencedBlocks('```bash\nexport A=$(answer data.id)\nrm -rf data\n```\n'));
    expect(walkthrough.steps.map(({ faults }) => faults)).toEqual([
      ['has no value: $(answer data.id)'],
      ['nobody knows how to play rm -rf data'],
    ]);
  });
});
