import { render } from 'preact-render-to-string';
import { inMemory } from '#dashboard/parts/in-memory.js';
import { type Column, listPage, type ListRange } from '#dashboard/parts/list-page.js';

interface Gate {
  readonly id: string;
  readonly kind: string;
}

const gates: readonly Gate[] = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, kind: `kind of ${id}` }));
const COLUMNS: readonly Column<Gate>[] = [
  { name: 'id' },
  { title: 'Kind', name: 'kind', cell: ({ kind }) => kind.toUpperCase() },
  { name: 'formula', value: ({ id }) => `=${id}` },
  { title: 'Open', cell: () => 'Open it' },
];
const keyOf = ({ id }: Gate) => id;

function listOf(all: readonly Gate[], limit = 2) {
  const asked: ListRange[] = [];
  const read = (range: ListRange) => {
    asked.push(range);
    return inMemory(all, keyOf)(range);
  };
  const list = listPage({
    ...{ caption: 'Gates', name: 'gates', path: '/gates', file: '/gates.csv', columns: COLUMNS, keyOf, read },
    ...{ query: { kind: 'door', at: undefined }, empty: 'No gate yet.', limit },
  });
  const shown = async (cursor?: unknown) => {
    const { page, view } = await list.show(cursor);
    return { ids: page.rows.map(keyOf), html: render(view) };
  };
  return { list, shown, asked };
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

it('a page shows the columns with a title, and leads to the next page and to the file by the same filter', async () => {
  const { ids, html } = await listOf(gates).shown();
  expect(ids).toEqual(['a', 'b']);
  expect(html).toContain('KIND OF A');
  expect(html).toContain('Open it');
  expect(html).not.toContain('=a');
  expect(html).toContain('href="/gates?kind=door&amp;cursor=b" rel="next"');
  expect(html).toContain('href="/gates.csv?kind=door"');
});

it.each([
  ['b', ['c', 'd'], true],
  ['d', ['e'], false],
  ['gone', ['a', 'b'], true],
  ['', ['a', 'b'], true],
  [['b', 'c'], ['a', 'b'], true],
])('behind the cursor %j come %j', async (cursor, expected, hasNext) => {
  const { ids, html } = await listOf(gates).shown(cursor);
  expect([ids, html.includes('rel="next"')]).toEqual([expected, hasNext]);
});

it('an empty list says what to do and offers no file; an empty page leads on', async () => {
  const { html } = await listOf([]).shown();
  expect(html).toBe('<p class="empty">No gate yet.</p>');
  const read = () => Promise.resolve({ rows: [], next_cursor: 'z' });
  const settings = { caption: 'Gates', name: 'gates', path: '/gates', file: '/gates.csv', columns: COLUMNS };
  const { view } = await listPage({ ...settings, keyOf, read, empty: 'No gate yet.' }).show();
  expect(render(view)).toMatch(/No match on this page\..*cursor=z/);
});

it('the file holds the columns with a name, of every page', async () => {
  const many = Array.from({ length: 501 }, (_, place) => ({ id: `g${place}`, kind: 'gate' }));
  const { list, asked } = listOf(many);
  const lines = (await textOf((await list.csv()).chunks)).split('\r\n');
  expect(lines.slice(0, 2)).toEqual(['id,kind,formula', "g0,gate,'=g0"]);
  expect(lines).toHaveLength(503);
  expect(asked).toEqual([{ limit: 500 }, { limit: 500, cursor: 'g499' }]);
});

it('what is refused at the first page is no file', async () => {
  const read = () => Promise.reject(new Error('no such state'));
  const settings = { caption: 'Gates', name: 'gates', path: '/gates', file: '/gates.csv', columns: COLUMNS };
  await expect(listPage({ ...settings, keyOf, read, empty: '' }).csv()).rejects.toThrow('no such state');
});
