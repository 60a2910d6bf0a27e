import { readPage as readPageInSteps, PageReader } from '#pull/fetching/page-reader.js';
import { PullFault } from '#pull/fetching/pull-fault.js';
import type { PullAnswer, PullHttp, PullRequest } from '#pull/fetching/pull-http.js';
import { systemIds } from '#kernel/ids.js';
import { finished } from '../support/finished.js';
import { ManualClock } from '../support/manual-clock.js';

const BASE = 'https://pms.example.com/export/units.json?page=1';
const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const readPage = (...parameters: Parameters<typeof readPageInSteps>) =>
  finished(readPageInSteps(...parameters));
const page = (document: unknown) => readPage(Buffer.from(JSON.stringify(document)), BASE, NOW);
const refusal = (body: Uint8Array | string) => {
  try {
    readPage(Buffer.from(body), BASE, NOW);
    return 'read';
  } catch (error) {
    return (error as PullFault).code;
  }
};

describe('a document', () => {
  test('is an object with units, and perhaps with what follows', () => {
    expect(page({ units: [] })).toEqual({ units: [], next: null });
    expect(page({ units: [1, null], next: null, total: 2 })).toEqual({ units: [1, null], next: null });
    expect(page({ units: [], next: '?page=2' }).next).toBe(
      'https://pms.example.com/export/units.json?page=2',
    );
    expect(page({ units: [], next: 'https://other.example.com/2' }).next).toBe('https://other.example.com/2');
  });

  test('may say when it was taken, at most 5 minutes ahead', () => {
    expect(page({ units: [], snapshot_at: null }).snapshot_at).toBeUndefined();
    expect(page({ units: [], snapshot_at: '2025-12-31T18:05:00-06:00' }).snapshot_at).toBe(NOW + 300_000);
    for (const snapshot_at of ['2026-01-01T00:05:00.001Z', 'yesterday', 5])
      expect(refusal(JSON.stringify({ units: [], snapshot_at }))).toBe('document_invalid');
  });

  test('may begin with a byte order mark', () => {
    expect(refusal('\ufeff{"units":[]}')).toBe('read');
  });

  test.each([
    [[{ a: 1 }]],
    [{ Spaces: [{ a: 1 }], notes: [], tags: ['x'], total: 5 }],
    [{ result: { Spaces: [{ a: 1 }] } }],
    [{ units: [{ a: 1 }], Spaces: [{ b: 2 }] }],
  ])('may name its only list of rows as it likes, or be that list: %j', (document) => {
    expect(page(document).units).toEqual([{ a: 1 }]);
  });

  test.each([
    [500, 'read'],
    [501, 'document_invalid'],
  ])('whose second row has %i fields, some in objects of objects, is: %s', (count, expected) => {
    const names = Array.from({ length: count - 2 }, (_, n) => [`f${n}`, n]);
    const row = { inner: { inner: Object.fromEntries(names) } };
    expect(refusal(JSON.stringify({ units: [{ crm_unit_id: 'A' }, row] }))).toBe(expected);
  });

  test.each([
    ['[]'],
    ['null'],
    ['{"units":{}}'],
    ['{}'],
    ['{"units":[],"next":5}'],
    ['{"units":[],"next":"file:///etc/passwd"}'],
    ['{"units":[],"next":"https://a:b@example.com/"}'],
    [`{"units":[],"next":"https://example.com/${'x'.repeat(2_048)}"}`],
    [`{"units":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('%s is none', (text) => {
    expect(refusal(text)).toBe('document_invalid');
  });

  test.each([
    ['[]', 'The answer is a list without rows.'],
    ['[{},1]', 'The answer is a list without rows.'],
    ['5', 'The answer is neither an object nor a list.'],
    ['{"Ada Park 5":[]}', 'The answer has no list “units”.'],
    ['{"units":{},"rentals":[{}]}', 'The answer has no list “units” at its top, but the list “rentals”.'],
    [
      '{"rentals":[{}],"errors":[{}]}',
      'The answer has no list “units” at its top, but the lists “rentals”, “errors”.',
    ],
    ['{"rentals":[]}', 'The answer has no list “units” at its top, but the list “rentals”.'],
    [
      '{"result":{"units":[1],"a":{"b":{"c":[]}}},"x":[],"y":"text"}',
      'The answer has no list “units” at its top, but the lists “result.units”, “x”.',
    ],
  ])('like %s says what was found, and what is wanted', (text, found) => {
    expect(() => readPage(Buffer.from(text), BASE, NOW)).toThrow(
      `${found} Ask your PMS for a document like { "units": [ … ] }, with a row for each unit.`,
    );
  });

  test.each([['<html>'], ['{"units":['], [''], [Buffer.from([0x7b, 0xff, 0x7d])]])(
    '%s is no JSON',
    (text) => {
      expect(refusal(text)).toBe('not_json');
    },
  );

  test('of a million empty arrays is not parsed', () => {
    expect(refusal(`{"units":[${'[],'.repeat(1_100_000)}1]}`)).toBe('document_invalid');
  });

  test('may have 50,000 entries and no more', () => {
    expect(refusal(`{"units":[${'0,'.repeat(49_999)}0]}`)).toBe('read');
    expect(refusal(`{"units":[${'0,'.repeat(50_000)}0]}`)).toBe('too_large');
  });
});

describe('a page that does not come', () => {
  const answer: PullAnswer = { kind: 'not_modified' };
  const request = (signal = new AbortController().signal): PullRequest => ({
    url: BASE,
    auth_header: null,
    credential_origin: new URL(BASE).origin,
    etag: null,
    signal,
  });
  const transient = (after?: number) => new PullFault('http_status', 'The source answered 500.', { after });

  /** Answers with what is given in turn, an error by failing. */
  function reader(...given: (PullAnswer | Error)[]) {
    const clock = new ManualClock();
    const asked: number[] = [];
    const http: PullHttp = {
      get: () => {
        asked.push(clock.now());
        const next = given[Math.min(asked.length, given.length) - 1]!;
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      refusalOf: () => Promise.resolve(undefined),
      close: () => Promise.resolve(),
    };
    // The chance is none: each wait is half of what it could be.
    const ids = { ...systemIds, code: (digits: number) => '0'.repeat(digits) };
    return { clock, asked, reader: new PageReader(http, clock, ids) };
  }

  /** Lets everything happen that waits for no clock. */
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };

  test('is asked for again, later each time, and then given up', async () => {
    const { clock, asked, reader: pages } = reader(transient());
    const began = clock.now();
    const reading = pages.read(request()).catch(({ code }: PullFault) => code);
    for (const wait of [500, 1_000, 2_000]) {
      await turns();
      clock.advance(wait);
    }
    expect(await reading).toBe('http_status');
    expect(asked.map((at) => at - began)).toEqual([0, 500, 1_500, 3_500]);
  });

  test('is read where a later try has it', async () => {
    const { clock, asked, reader: pages } = reader(transient(7_000), answer);
    const reading = pages.read(request());
    await turns();
    clock.advance(6_999);
    await turns();
    expect(asked).toHaveLength(1);
    clock.advance(1);
    expect(await reading).toEqual(answer);
  });

  test('is not asked for again where that cannot help', async () => {
    const { asked, reader: pages } = reader(new PullFault('address_refused', 'No.'));
    await expect(pages.read(request())).rejects.toMatchObject({ code: 'address_refused' });
    expect(asked).toHaveLength(1);
  });

  test('is not asked for again where the source wants to be left alone for long', async () => {
    const { asked, reader: pages } = reader(transient(3_600_000));
    await expect(pages.read(request())).rejects.toMatchObject({ code: 'http_status' });
    expect(asked).toHaveLength(1);
  });

  test('is waited for no longer where the run ends', async () => {
    const ending = new AbortController();
    const interrupted = new PullFault('interrupted', 'The run was ended.');
    const { clock, reader: pages } = reader(transient(), interrupted);
    const reading = pages.read(request(ending.signal));
    await turns();
    ending.abort();
    await expect(reading).rejects.toBe(interrupted);
    expect(clock.pending).toBe(0);
  });
});
