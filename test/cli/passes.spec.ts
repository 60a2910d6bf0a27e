import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runHere } from '../support/command-process.js';
import { ManualClock } from '../support/manual-clock.js';
import { type Company, demand, Service } from '../support/service.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

/** Streams of passes, for the commands of an auditor. */

const HOUR = 3_600_000;

let service: Service;
let company: Company;
let folder: TemporaryFolder;
let unit_id: string;
let pass_id: string;
/** While the pass opens the unit. */
let at: string;

const run = (...parameters: string[]) => runHere(parameters, { DATA_DIR: service.path });
const named = () => ['--company', company.id, '--unit', 'A-1'];
const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:10:00.000Z')) });
  company = await service.company();
  ({ unit_id } = demand(201, await company.moveIn('A-1')));
  demand(200, await company.moveOut('A-1'));
  const until = new Date(service.manualClock.now() + 48 * HOUR).toISOString();
  const body = { name: 'Vic', phone: '+13125550177', unit_ids: [unit_id], until, reason: 'vendor' };
  const path = `/locations/${company.locations.get('MAIN')!}/passes`;
  ({ pass_id } = demand(201, await operator('post', path, body)));
  service.manualClock.advance(HOUR);
  at = new Date(service.manualClock.now()).toISOString();
  demand(200, await operator('patch', `/passes/${pass_id}`, { note: 'Badge 7' }));
  service.manualClock.advance(HOUR);
  demand(200, await operator('delete', `/passes/${pass_id}`));
  // A reader beside the service sees the views as of their last flush.
  await service.restart();
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

it('audit verify finds them whole, in the log, the views and an export', async () => {
  const verified = await run('audit', 'verify');
  expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining('views (') as string });
  const { stdout } = await run('audit', 'export');
  const events = stdout.split('\n').filter((line) => line.includes(`"pass-${pass_id}"`));
  expect(events.slice(0, 3).map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    'PassIssued',
    'PassChanged',
    'PassEnded',
  ]);
  expect(stdout).not.toMatch(/Vic|Badge|5550177/);
  const file = join(folder.path, 'export');
  await writeFile(file, stdout);
  expect(await run('audit', 'verify', '--file', file)).toMatchObject({ status: 0 });
});

it('audit verify of an export names the pass whose event was changed', async () => {
  const { stdout } = await run('audit', 'export');
  const file = join(folder.path, 'changed');
  await writeFile(file, stdout.replace('"reason":"vendor"', '"reason":"other"'));
  const verified = await run('audit', 'verify', '--file', file);
  expect(verified).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(`stream pass-${pass_id}, revision 0`) as string,
  });
});

it('audit history of a unit tells of its passes, as the API does', async () => {
  const { entries } = demand(200, await operator('get', `/units/${unit_id}/history?limit=100`));
  const { status, stdout } = await run('audit', 'history', ...named());
  expect([
    status,
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ]).toEqual([0, entries]);
  // A note is no matter of the unit.
  expect((entries as { type: string }[]).map(({ type }) => type).slice(-2)).toEqual([
    'PassIssued',
    'PassEnded',
  ]);
});

it('audit as-of tells the same from the stores and from an export', async () => {
  const { stdout: exported } = await run('audit', 'export');
  const file = join(folder.path, 'whole');
  await writeFile(file, exported);
  const fromStores = await run('audit', 'as-of', ...named(), '--at', at);
  const fromExport = await run('audit', 'as-of', ...named(), '--at', at, '--file', file);
  expect([fromStores.status, fromExport.status]).toEqual([0, 0]);
  expect(fromExport.stdout).toBe(fromStores.stdout);
  expect(JSON.parse(fromStores.stdout)).toEqual(
    demand(200, await company.push('get', `/units/A-1/as-of?at=${at}`)),
  );
});

it('views are made anew of them', async () => {
  const read = async () => demand(200, await operator('get', `/passes/${pass_id}`));
  const before = await read();
  await service.restart({ keepViews: false });
  expect([await read(), (await run('audit', 'verify')).status]).toEqual([before, 0]);
});

it('a backup and its restore keep them, with their records', async () => {
  const backup = join(folder.path, 'backup');
  expect(await run('backup', backup)).toMatchObject({ status: 0 });
  const key = (await run('audit', 'key')).stdout.trim();
  const kept = await Service.start({
    clock: new ManualClock(service.manualClock.now()),
    fill: async (target) => {
      expect(await runHere(['restore', backup, '--key', key], { DATA_DIR: target })).toMatchObject({
        status: 0,
      });
    },
  });
  expect(demand(200, await kept.operator('get', `/passes/${pass_id}`))).toMatchObject({
    standing: 'ended',
    name: 'Vic',
    note: 'Badge 7',
  });
  await kept.close();
});
