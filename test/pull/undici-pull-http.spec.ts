import { isPublicAddress } from '#kernel/address-guard.js';
import { LARGEST_PAGE_BYTES, PAGE_TIMEOUT_MS, UndiciPullHttp } from '#pull/fetching/undici-pull-http.js';
import type { PullRequest } from '#pull/fetching/pull-http.js';
import { ManualClock } from '../support/manual-clock.js';
import { waitUntil } from '../support/wait-until.js';
import { json, SourceServer, status, type Reply } from './support/source-server.js';

const MEBIBYTE = 1024 * 1024;

let source: SourceServer;
let clock: ManualClock;
let http: UndiciPullHttp;

beforeEach(async () => {
  source = await SourceServer.start();
  clock = new ManualClock();
  http = new UndiciPullHttp({ clock, isAllowed: () => true });
});
afterEach(async () => {
  await http.close();
  await source.close();
  expect(clock.pending).toBe(0);
});

const wanted = (request: Partial<PullRequest> = {}): PullRequest => ({
  url: source.url(),
  auth_header: null,
  credential_origin: new URL(source.url()).origin,
  etag: null,
  signal: new AbortController().signal,
  ...request,
});
const get = (request: Partial<PullRequest> = {}) => http.get(wanted(request));
const refusal = async (reply: Reply, request: Partial<PullRequest> = {}) => {
  source.next(reply);
  return get(request).then(
    () => 'answered',
    ({ code, retry }: { code: string; retry?: object }) => [code, retry],
  );
};

test('a page comes with what it is known by', async () => {
  source.next(json({ units: [] }, { ETag: '"7"' }));
  const answer = await get({ auth_header: 'Bearer s3cret' });
  expect(answer).toEqual({
    kind: 'page',
    url: source.url(),
    etag: '"7"',
    body: Buffer.from('{"units":[]}'),
  });
  expect(source.asked[0]!.headers).toMatchObject({
    authorization: 'Bearer s3cret',
    accept: 'application/json',
    'accept-encoding': 'identity',
  });
});

test('what is known already need not come again', async () => {
  source.next(status(304));
  expect(await get({ etag: '"7"' })).toEqual({ kind: 'not_modified' });
  expect(source.asked[0]!.headers['if-none-match']).toBe('"7"');
});

test('304 to a request that named nothing is no answer', async () => {
  expect(await refusal(status(304))).toEqual(['http_status', undefined]);
});

describe('what may succeed in a moment', () => {
  test.each([
    [429, { 'Retry-After': '7' }, ['rate_limited', { after: 7_000 }]],
    [429, {}, ['rate_limited', { after: undefined }]],
    [503, { 'Retry-After': 'Thu, 01 Jan 2026 00:01:00 GMT' }, ['http_status', { after: 60_000 }]],
    [500, { 'Retry-After': 'soon' }, ['http_status', { after: undefined }]],
    [502, {}, ['http_status', { after: undefined }]],
    [408, {}, ['http_status', { after: undefined }]],
  ])('%d with %j is told from the rest', async (code, headers, expected) => {
    expect(await refusal(status(code, headers))).toEqual(expected);
  });
  test.each([400, 401, 403, 404, 201, 204])('%d is final', async (code) => {
    expect(await refusal(status(code))).toEqual(['http_status', undefined]);
  });

  test('a connection that breaks off is one', async () => {
    const breaks: Reply = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"units":[', () => response.socket!.destroy());
    };
    expect(await refusal(breaks)).toEqual(['cut_off', {}]);
  });

  test('a length that promises more than comes is one', async () => {
    const lies: Reply = (response) => {
      response.socket!.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"units":[]}');
    };
    expect(await refusal(lies)).toEqual(['cut_off', {}]);
  });

  test('an answer that is no HTTP is one', async () => {
    expect(await refusal((response) => response.socket!.end('nothing of the kind\r\n\r\n'))).toEqual([
      'cut_off',
      {},
    ]);
  });

  test('a server that is not there is one', async () => {
    const { port } = source;
    const request = wanted({ url: `http://127.0.0.1:${port}/` });
    await source.close();
    await expect(http.get(request)).rejects.toMatchObject({
      code: 'unreachable',
      retry: {},
    });
    source = await SourceServer.start();
  });

  test('an answer that does not come within 30 seconds is one, its body included', async () => {
    source.next((response) => void response.writeHead(200).write('{"units":['));
    const waiting = get().catch(({ code, retry }: { code: string; retry: object }) => [code, retry]);
    await waitUntil(() => source.asked.length > 0);
    clock.advance(PAGE_TIMEOUT_MS - 1);
    expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
    clock.advance(1);
    expect(await waiting).toEqual(['timeout', {}]);
  });
});

test('a length that promises less than comes cuts the answer where it says', async () => {
  source.next((response) => {
    response.socket!.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n{"units":[]}');
  });
  const answer = await get().catch(({ code }: { code: string }) => code);
  // It depends on what of it comes together; in no case is it read as if it were whole.
  expect([
    { kind: 'page', url: source.url(), etag: null, body: Buffer.from('{"unit') },
    'cut_off',
  ]).toContainEqual(answer);
});

test('a web page is told from a document', async () => {
  const page = status(200, { 'Content-Type': 'text/html; charset=utf-8' }, '<html>Please sign in</html>');
  expect(await refusal(page)).toEqual(['not_json', undefined]);
});

test('a packed body is refused, which could be of any size', async () => {
  expect(await refusal(json({ units: [] }, { 'Content-Encoding': 'gzip' }))).toEqual(['not_json', undefined]);
});

describe('a body of 100 MB', () => {
  /** Sends as fast as is taken, and tells how much was. */
  const endless = (headers: Readonly<Record<string, string>>, sent: { bytes: number }): Reply => {
    const chunk = Buffer.alloc(MEBIBYTE, 32);
    return (response) => {
      response.writeHead(200, headers);
      response.on('error', () => undefined);
      const more = () => {
        while (sent.bytes < 100 * MEBIBYTE && !response.destroyed) {
          sent.bytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
  };

  test('is refused by the length that it names', async () => {
    const sent = { bytes: 0 };
    const headers = { 'Content-Length': String(100 * MEBIBYTE) };
    expect(await refusal(endless(headers, sent))).toEqual(['too_large', undefined]);
    expect(sent.bytes).toBeLessThan(2 * LARGEST_PAGE_BYTES);
  });

  test('is cut off where it names none, and the sender is not read any further', async () => {
    const sent = { bytes: 0 };
    expect(await refusal(endless({}, sent))).toEqual(['too_large', undefined]);
    expect(sent.bytes).toBeLessThan(3 * LARGEST_PAGE_BYTES);
  });
});

describe('a redirect', () => {
  const to = (location: string, code = 302) => status(code, { Location: location });

  test.each([301, 302, 303, 307, 308])(
    'by %d is followed, with the credential where it was meant for',
    async (code) => {
      source.next(to('/moved.json?page=1', code), json({ units: [] }));
      expect(await get({ auth_header: 'Bearer s3cret' })).toMatchObject({
        kind: 'page',
        url: source.url('/moved.json?page=1'),
      });
      expect(source.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
        ['/units.json', 'Bearer s3cret'],
        ['/moved.json?page=1', 'Bearer s3cret'],
      ]);
    },
  );

  test('to another origin takes no credential along', async () => {
    const other = await SourceServer.start();
    other.next(json({ units: [] }));
    source.next(to(other.url()));
    await get({ auth_header: 'Bearer s3cret' });
    expect(other.asked[0]!.headers.authorization).toBeUndefined();
    await other.close();
  });

  test('without end is given up', async () => {
    source.always(to('/again'));
    await expect(get()).rejects.toMatchObject({ code: 'redirect_refused' });
    expect(source.asked).toHaveLength(6);
  });

  test('to nowhere is refused at once', async () => {
    source.next(status(302));
    await expect(get()).rejects.toMatchObject({
      message: 'The source redirects to something that is not a URL.',
    });
    expect(source.asked).toHaveLength(1);
  });

  test('to what is no web address is told as what it is', async () => {
    source.next(to('ftp://example.com/'));
    const message = 'The source redirects from http to something that is not https.';
    await expect(get()).rejects.toMatchObject({ message });
  });

  test.each(['ftp://example.com/', 'file:///etc/passwd', 'http://user:word@example.com/', 'http://'])(
    'to %s is refused',
    async (location) => {
      expect(await refusal(to(location))).toEqual(['redirect_refused', undefined]);
    },
  );

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
  ])('to %s is refused, though the first host was public', async (location) => {
    // This machine stands for a public host: the guard is told so, and of everything else the truth.
    const isAllowed = (address: string) => address === '127.0.0.1' || isPublicAddress(address);
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const guarded = new UndiciPullHttp({ clock, isAllowed, resolve });
    source.next(to(location));
    const url = `http://pms.example.com:${source.port}/units.json`;
    await expect(guarded.get(wanted({ url }))).rejects.toMatchObject({ code: 'address_refused' });
    await guarded.close();
  });
});

/** Resolves to a public address first and to this machine from then on: rebinding. */
function publicThenLocal() {
  let times = 0;
  return (): Promise<{ address: string; family: number }[]> => {
    times += 1;
    return Promise.resolve([{ address: times === 1 ? '8.8.8.8' : '127.0.0.1', family: 4 }]);
  };
}

test('a name that leads here once it was looked at is refused where it is connected to', async () => {
  const guarded = new UndiciPullHttp({ clock, resolve: publicThenLocal() });
  const url = `http://pms.example.com:${source.port}/units.json`;
  // The check that operators are answered by sees a public address; the connection that follows does not.
  expect(await guarded.refusalOf(url)).toBeUndefined();
  await expect(guarded.get(wanted({ url }))).rejects.toMatchObject({ code: 'address_refused' });
  expect(source.asked).toEqual([]);
  await guarded.close();
});

test.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://[::1]/',
  'http://10.1.2.3/',
])('%s is refused where private addresses are not allowed', async (url) => {
  const guarded = new UndiciPullHttp({ clock });
  expect(await guarded.refusalOf(url)).toMatchObject({ code: 'address_refused' });
  await expect(guarded.get(wanted({ url }))).rejects.toMatchObject({ code: 'address_refused' });
  await guarded.close();
});

test('a run that ends takes its request with it', async () => {
  const ending = new AbortController();
  source.next(() => undefined);
  const waiting = get({ signal: ending.signal });
  await waitUntil(() => source.asked.length > 0);
  ending.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
});
