import { parseShell, readCurl } from './shell.js';
import { differences } from './shown.js';
import { fencedBlocks, Walkthrough } from './walkthrough.js';

const read = (text: string, variables: Record<string, string> = {}) =>
  parseShell(text, () => variables).map((statement) => statement());

describe('the reader of shell lines', () => {
  it('joins lines, expands variables outside of single quotes and keeps the comment', () => {
    const text = `curl -d '{ "zone": "'$ZONE'", "cost": "$5" }' \\\n  "http://x/$ZONE"   # 201\nexport A=…  # data.id, Ada's`;
    expect(read(text, { ZONE: 'z-1' })).toEqual([
      { words: ['curl', '-d', '{ "zone": "z-1", "cost": "$5" }', 'http://x/z-1'], comment: '201' },
      { words: ['export', 'A=…'], comment: "data.id, Ada's" },
    ]);
  });

  it('lets a quoted text span lines', () => {
    expect(read(`a 'b\nc'\nd`).map(({ words }) => words)).toEqual([['a', 'b\nc'], ['d']]);
  });

  it('refuses an unset variable and an open quote', () => {
    expect(() => read('curl $BASE/x')).toThrow('$BASE is not set');
    expect(() => read(`curl 'x`)).toThrow('An open quote');
  });
});

describe('the reader of curl', () => {
  it('knows the method, headers and body', () => {
    expect(readCurl(['curl', '-sS', '-X', 'PUT', '-H', 'A: b: c', '-d', '{}', 'http://x'])).toEqual({
      url: 'http://x',
      method: 'PUT',
      headers: { A: 'b: c' },
      body: '{}',
    });
    expect(readCurl(['curl', 'http://x'])).toMatchObject({ method: 'GET' });
    expect(readCurl(['curl', '-d', '{}', 'http://x'])).toMatchObject({ method: 'POST' });
  });

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
  it('finds blocks with their languages and lines', () => {
    expect(fencedBlocks('x\n```sh\na\n```\n\n```bash\nb\nc\n```\n')).toEqual([
      { language: 'sh', text: 'a', line: 2 },
      { language: 'bash', text: 'b\nc', line: 6 },
    ]);
  });

  it('reports a value that is nowhere and a command that nobody knows', async () => {
    const walkthrough = new Walkthrough({ url: 'http://x', data_dir: '.', password: 'p' });
    await walkthrough.play(fencedBlocks('```bash\nexport A=…  # data.id\nrm -rf data\n```\n'));
    expect(walkthrough.steps.map(({ faults }) => faults)).toEqual([
      ['has no value: data.id'],
      ['nobody knows how to play rm -rf data'],
    ]);
  });
});
