import { TURNS } from '#kernel/turns.js';
import { PullScheduler } from '#pull/index.js';
import { json, occupied, type Reply, SourceServer, status } from '../../pull/support/source-server.js';
import type { Parsed } from '../../support/http-client.js';
import { type Company, demand, Service } from '../../support/service.js';

const PARTS = 100;

let service: Service;
let company: Company;
let source: SourceServer;
beforeAll(async () => {
  service = await Service.start({ environment: { PULL_ALLOW_PRIVATE: 'true' } });
  source = await SourceServer.start();
  company = await service.company();
});
afterAll(async () => {
  await service.close();
  await source.close();
});

/** The run of a source that answers this, and how often the event loop turned meanwhile. */
async function run(answer: Reply): Promise<{ readonly run: Parsed; readonly turns: number }> {
  source.next(answer);
  const body = { name: 'Main PMS', url: source.url(), interval_seconds: 86_400 };
  const added = demand(201, await service.operator('post', `/companies/${company.id}/pull-sources`, body));
  const path = `/pull-sources/${added.pull_source_id}/runs`;
  demand(202, await service.operator('post', path));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await service.part(PullScheduler).settled();
  isOver = true;
  return { run: demand(200, await service.operator('get', path)).runs[0], turns };
}

test('a page of two million zeros ends the run', async () => {
  const body = `{"units":[${'0,'.repeat(2_000_000)}0]}`;
  const { run: told } = await run((response) => response.end(body));
  expect(told).toMatchObject({ state: 'failed', total: 0, failure: { code: 'document_invalid' } });
});

test('50,000 entries with faults leave the event loop free between parts, and sound ones are applied', async () => {
  const faulty = { crm_unit_id: 5, occupied: 'yes', unknown: 1, balance_due: 'x' };
  const units: unknown[] = Array.from({ length: 500 * PARTS }, () => faulty);
  units[0] = occupied('FIRST');
  units[units.length - 1] = occupied('LAST');
  const { run: told, turns } = await run(json({ units }));
  expect(told).toMatchObject({ state: 'succeeded', total: 50_000, created: 2, error_count: 49_998 });
  expect(told.errors).toHaveLength(5);
  expect(turns).toBeGreaterThanOrEqual(PARTS);
  expect(await company.access('LAST')).toBe('tenant_permitted active');
});

test('a row of 100,000 fields ends the run and the test before one of its fields is looked at', async () => {
  const row = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field ${n}`, 'x']));
  const { run: told } = await run(json({ units: [occupied('WIDE'), row] }));
  expect(told).toMatchObject({ state: 'failed', total: 0, failure: { code: 'document_invalid' } });
  source.next(json({ units: [row] }));
  const body = { name: 'Wide PMS', url: source.url(), interval_seconds: 86_400 };
  const added = demand(201, await service.operator('post', `/companies/${company.id}/pull-sources`, body));
  const path = `/pull-sources/${added.pull_source_id}/test`;
  const tested = demand(200, await service.operator('post', path));
  expect(tested).toMatchObject({ failure: { code: 'document_invalid' }, fields: [], checked: 0 });
});

test('a page that is not read in time ends its test with an answer, not with 503', async () => {
  source.next(json({ units: [occupied('SLOW')] }));
  const body = { name: 'Slow PMS', url: source.url(), interval_seconds: 86_400 };
  const added = demand(201, await service.operator('post', `/companies/${company.id}/pull-sources`, body));
  const next = TURNS.next.bind(TURNS);
  const spy = jest.spyOn(TURNS, 'next').mockImplementation(() => {
    if (source.asked.length > 0) {
      // Others take the turns before this page is parsed.
      spy.mockImplementation(next);
      service.manualClock.advance(9_000);
    }
    return next();
  });
  const tested = await service.operator('post', `/pull-sources/${added.pull_source_id}/test`);
  spy.mockRestore();
  expect(demand(200, tested)).toMatchObject({ failure: { code: 'timeout' }, checked: 0 });
});

describe('where private addresses are allowed, a link-local one', () => {
  const METADATA = 'http://169.254.169.254/';
  const others = ['http://[fe80::1]/', 'http://[::ffff:169.254.169.254]/', 'http://[fd00:ec2::254]/'];

  it.each([METADATA, ...others, 'http://168.63.129.16/'])('%s is refused', async (url) => {
    const body = { name: 'x', url, interval_seconds: 60 };
    const answer = await service.operator('post', `/companies/${company.id}/pull-sources`, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['url']]);
  });

  it.each([
    ['a redirect', status(302, { Location: METADATA })],
    ['next', json({ units: [], next: METADATA })],
  ])('ends a run that %s leads there', async (_what, reply) => {
    expect((await run(reply)).run).toMatchObject({ failure: { code: 'address_refused' } });
  });
});
