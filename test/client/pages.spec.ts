import { ScriptedService, success } from './support/scripted-service.js';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const page = (name: string, items: readonly unknown[], next_cursor: string | null) =>
  success({ [name]: items, next_cursor });

describe('a list', () => {
  it('goes on over short and empty pages until there is no cursor', async () => {
    const service = new ScriptedService(
      page('units', [1, 2], 'a/b'),
      page('units', [], 'c'),
      page('units', [3], null),
    );
    expect(await all(service.client().units({ state: 'vacant' }))).toEqual([1, 2, 3]);
    expect(service.requests.map(({ line }) => line)).toEqual([
      'GET /api/v2/units?state=vacant',
      'GET /api/v2/units?state=vacant&cursor=a%2Fb',
      'GET /api/v2/units?state=vacant&cursor=c',
    ]);
  });

  it('asks for no page before it is wanted', async () => {
    const service = new ScriptedService(page('tenants', ['Ada', 'Bo'], 'more'));
    for await (const tenant of service.client().tenants({ q: 'a' })) {
      expect(tenant).toBe('Ada');
      break;
    }
    expect(service.requests).toHaveLength(1);
  });

  it.each([
    ['history', '/api/v2/units/A%201/history'],
    ['activity', '/api/v2/units/A%201/activity'],
  ] as const)('of a unit’s %s is read at its path', async (name, path) => {
    const service = new ScriptedService(page('entries', [1], 'x'), page('entries', [2], null));
    expect(await all<unknown>(service.client()[name]('A 1', { limit: 1 }))).toEqual([1, 2]);
    expect(service.requests.map(({ line }) => line)).toEqual([
      `GET ${path}?limit=1`,
      `GET ${path}?limit=1&cursor=x`,
    ]);
  });
});

describe('the feed of events', () => {
  const fed = (events: readonly string[], next_after: string | null) => success({ events, next_after });

  it('is followed past empty pages up to where nothing is new', async () => {
    const service = new ScriptedService(fed(['a'], '5'), fed([], '9'), fed(['b'], '12'), fed([], '12'));
    expect(await all<unknown>(service.client().events({ after: '3', limit: 1 }))).toEqual(['a', 'b']);
    expect(service.requests.map(({ line }) => line)).toEqual(
      ['3', '5', '9', '12'].map((after) => `GET /api/v2/events?limit=1&after=${after}`),
    );
  });

  it('tells page by page where to go on another time', async () => {
    const service = new ScriptedService(fed(['a'], '5'), fed([], '5'));
    const pages = await all(service.client().eventPages());
    expect(pages.map(({ next_after }) => next_after)).toEqual(['5']);
  });

  it('of a company without events is empty', async () => {
    expect(await all(new ScriptedService(fed([], null)).client().eventPages())).toEqual([]);
  });

  it('is followed on, with a pause while nothing is new', async () => {
    const service = new ScriptedService(
      fed([], '3'),
      fed([], '3'),
      fed(['a'], '5'),
      fed([], '5'),
      fed(['b'], '7'),
    );
    const followed = service.client().followEvents({ limit: 1 }, { wait: 9 });
    expect((await followed.next()).value).toMatchObject({ events: ['a'], next_after: '5' });
    expect((await followed.next()).value).toMatchObject({ events: ['b'], next_after: '7' });
    expect(service.requests.map(({ line }) => line)).toEqual(
      ['latest', '3', '3', '5', '5'].map((after) => `GET /api/v2/events?limit=1&after=${after}`),
    );
    expect(service.pauses).toEqual([9, 9]);
  });

  it('that is empty at first is followed from its first event', async () => {
    const service = new ScriptedService(fed([], null), fed(['a'], '1'));
    const followed = service.client().followEvents();
    expect((await followed.next()).value).toMatchObject({ events: ['a'] });
    expect(service.requests.map(({ line }) => line)).toEqual([
      'GET /api/v2/events?after=latest',
      'GET /api/v2/events',
    ]);
  });

  it('is followed until its signal is aborted', async () => {
    const giveUp = new AbortController();
    const service = new ScriptedService(fed([], '3'), fed([], '3'));
    service.beforePause = () => giveUp.abort(new Error('Enough.'));
    const followed = service.client().followEvents({}, { signal: giveUp.signal });
    await expect(followed.next()).rejects.toThrow('Enough.');
  });
});
