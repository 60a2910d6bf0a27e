import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newestCheckpoints } from '#eventsourcing/proof/newest-checkpoints.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkpoints-'));
  file = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

const line = (number: number) =>
  `${JSON.stringify({ at: `at ${number}`, events: number, streams: 1, root: 'r', key: 'k', signature: 's' })}\n`;
const head = (number: number) => `stream-${number} 1 ${'é'.repeat(40)}\n`;

/** All pages of a file, as the numbers of their checkpoints. */
async function pages(limit: number): Promise<number[][]> {
  const told: number[][] = [];
  for (let before: number | null | undefined; before !== null;) {
    const page = await newestCheckpoints(file, { limit, before });
    told.push(page.checkpoints.map(({ events }) => events));
    before = page.next;
  }
  return told;
}

describe('the checkpoints of a file', () => {
  it('are none where there is no file, or nothing in it', async () => {
    expect(await newestCheckpoints(file, { limit: 2 })).toEqual({ checkpoints: [], next: null });
    await writeFile(file, '');
    expect(await newestCheckpoints(file, { limit: 2 })).toEqual({ checkpoints: [], next: null });
  });

  it('come newest first, page by page, and end with the first', async () => {
    await writeFile(file, [1, 2, 3, 4, 5].map((number) => head(number) + line(number)).join(''));
    expect(await pages(2)).toEqual([[5, 4], [3, 2], [1]]);
    await writeFile(file, [1, 2, 3, 4].map(line).join(''));
    expect(await pages(2)).toEqual([
      [4, 3],
      [2, 1],
    ]);
  });

  it('leave out a line that was cut off, and tell that nobody has signed', async () => {
    await writeFile(file, line(1) + line(2).slice(0, -9));
    expect(await pages(5)).toEqual([[1]]);
    expect((await newestCheckpoints(file, { limit: 1 })).checkpoints).toMatchObject([{ is_signed: false }]);
    await appendFile(file, `\n${line(3)}`);
    expect(await pages(5)).toEqual([[3, 1]]);
  });

  it('are found behind more than is read at once', async () => {
    const heads = Array.from({ length: 12_000 }, (_, number) => head(number)).join('');
    await writeFile(file, line(1) + heads + line(2) + heads);
    expect(heads.length).toBeGreaterThan(2 * 262_144);
    expect(await pages(1)).toEqual([[2], [1]]);
    expect(await pages(9)).toEqual([[2, 1]]);
  });
});
