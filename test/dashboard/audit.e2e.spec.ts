import { toTimestamp } from '#kernel/timestamp.js';
import { Checkpoints } from '#eventsourcing/proof/checkpoints.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogExaminations } from '#api/operator/index.js';
import { type Company, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Visitor } from './support/visitor.js';

const folder = mkdtempSync(join(tmpdir(), 'audit-'));
const checkpointFile = join(folder, 'checkpoints');

let service: Service;
let company: Company;
let unit: string;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start({ environment: { AUDIT_CHECKPOINT_FILE: checkpointFile } });
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  const tenant = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  await company.sync([{ crm_unit_id: 'A-101', occupied: true, move_in_date: '2025-10-01', tenant }]);
  await company.patch('A-101', { balance_due: 189, paid_through_date: '2025-11-01' });
  unit = `/dashboard/units/${(await company.unit('A-101')).unit_id}`;
  admin = await Visitor.signedIn(service);
  // The hourly checkpoint, which is due at once.
  service.manualClock.advance(0);
  await waitUntil(() => existsSync(checkpointFile));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const settled = () => service.part(LogExaminations).settled();

/** Sends a form of the page, and looks at what came of it once that has ended. */
async function examine(form: string): Promise<string> {
  await admin.visit('/dashboard/audit');
  await admin.submit(form);
  await settled();
  await admin.visit('/dashboard/audit');
  return admin.text;
}

describe('the whole log', () => {
  it('is verified and signed in the background, and held to what was signed', async () => {
    expect(await examine('checkpoint')).toMatch(/Signed: \d+ events in \d+ streams/);
    const { length } = await service.events();
    expect(admin.text).toContain(`${length} `);
    expect(admin.text).toMatch(/Checkpoints .*Sign one now Signed: .*Keep it where nobody .*"signature"/);
    expect(admin.links).toContain('/dashboard/find');
    const text = await examine('verify');
    expect(text).toMatch(/Verified: nothing altered\. The log has \d+ events in \d+ streams/);
    expect(text).toContain('Checkpoints reach up to');
    expect(text).toMatch(/[0-9a-f]{64} Valid/);
  });

  /** As the leading process does once an hour. */
  async function appendCheckpoint(): Promise<void> {
    const key = await SigningKey.open(undefined, service.path);
    const now = () => toTimestamp(service.clock.now());
    const store = service.stores.eventStore;
    await new Checkpoints({
      store,
      key,
      file: checkpointFile,
      appends: true,
      now,
      warn: () => undefined,
    }).next();
  }

  it('has a checkpoint on one page or another, and all of them in a file', async () => {
    const signed = new Set<string>();
    await admin.visit('/dashboard/audit');
    for (let more = 0; more < 30; more += 1) {
      service.manualClock.advance(1_000);
      await appendCheckpoint();
    }
    const roots = () => [...admin.text.matchAll(/(\d+:\d\d:\d\d [AP]M UTC) \d+ \d+ [0-9a-f]{64} Valid/g)];
    await admin.visit('/dashboard/audit');
    for (const [, at] of roots()) signed.add(at!);
    expect(signed.size).toBe(24);
    await admin.visit(admin.links.find((href) => href.includes('cursor='))!);
    for (const [, at] of roots()) signed.add(at!);
    expect(signed.size).toBe(31);
    expect(admin.links.filter((href) => href.includes('cursor='))).toEqual([]);
    const file = await admin.visit('/dashboard/audit/checkpoints.csv');
    expect(file.html.trimEnd().split('\r\n')).toHaveLength(32);
  });

  it('that is not what was written is told of', async () => {
    const { eventStore } = service.stores;
    const readAll = eventStore.readAll.bind(eventStore);
    const spy = jest.spyOn(eventStore, 'readAll').mockImplementation(async (options) => {
      const events = await readAll(options);
      return events.map((event) => (event.revision === 1 ? { ...event, data: {} } : event));
    });
    const text = await examine('verify');
    spy.mockRestore();
    expect(text).toContain('The log was altered: stream');
    expect(text).toContain('its content changed after it was written');
  });

  it('is exported whole, its manifest last', async () => {
    await admin.visit('/dashboard/audit/export');
    expect(admin.shown.headers['content-disposition']).toBe('attachment; filename="log.ndjson"');
    const lines = admin.html.split('\n').slice(0, -1);
    const { manifest } = JSON.parse(lines.pop()!) as { manifest: { events: number; sha256: string } };
    expect(manifest.events).toBe(lines.length);
    const sha256 = createHash('sha256').update(lines.map((line) => `${line}\n`).join(''));
    expect(manifest.sha256).toBe(sha256.digest('hex'));
  });

  it('is for operators of all companies', async () => {
    const manager = await Visitor.of(service, 'manager', [company.id]);
    await manager.visit('/dashboard/audit');
    expect([manager.shown.status, manager.forms]).toEqual([200, []]);
    expect(manager.links).not.toContain('/dashboard/audit/export');
    expect((await manager.post('/dashboard/audit/verify', {})).status).toBe(403);
    expect((await manager.visit('/dashboard/audit/export')).status).toBe(403);
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit('/dashboard/audit');
    expect(auditor.forms).toEqual(['verify']);
    expect((await auditor.post('/dashboard/audit/checkpoint', {})).status).toBe(403);
  });
});

describe('who changed what', () => {
  const changes = (of: Company) => `/dashboard/companies/${of.id}/changes?actor=operator`;

  it('is a click away', async () => {
    await admin.visit('/dashboard/audit');
    expect(admin.links).toContain(changes(company));
    await admin.visit(changes(company));
    expect(admin.text).toContain('What staff did');
  });

  it('is linked for companies of the operator alone', async () => {
    const other = await service.company();
    const auditor = await Visitor.of(service, 'auditor', [company.id]);
    await auditor.visit('/dashboard/audit');
    expect(auditor.links).toContain(changes(company));
    expect(auditor.links).not.toContain(changes(other));
  });
});

describe('the report on a unit', () => {
  it('tells names, local times and hashes, and that the chain fits', async () => {
    await admin.visit(`${unit}/history`);
    expect(admin.links).toContain(`${unit}/report`);
    await admin.visit(`${unit}/report`);
    const events = (await service.events()).filter(({ stream }) => admin.html.includes(`<code>${stream}<`));
    expect(events.length).toBeGreaterThan(1);
    expect(admin.text).toContain(`Verified: nothing altered. ${events.length} events`);
    for (const { metadata } of events) expect(admin.text).toContain(metadata['hash']);
    expect(admin.text).toContain('by API token PMS');
    expect(admin.text).toMatch(/, \w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M C[SD]T/);
    expect(admin.text).toContain('Newest checkpoint');
  });
});
