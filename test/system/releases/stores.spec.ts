import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LONGEST_REQUEST_MS } from '#kernel/longest-request.js';
import { runHere } from '../../support/command-process.js';
import { ManualClock } from '../../support/manual-clock.js';
import { demand, Service } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { answerOf, EVENT_TYPES, type KeptAnswers } from './kept-store.js';

const run = promisify(execFile);

/** Versions whose stores are kept. */
const RELEASES = readdirSync(__dirname).filter((name) => /^\d/.test(name));

/**
 * Starts on views of an older format, which are made anew. That waits until requests of before have ended: here that is
 * at once, and the clock stands still.
 */
async function upgraded(fill: (folder: string) => Promise<unknown>, now?: number): Promise<Service> {
  const clock = new ManualClock(now);
  const after = jest.spyOn(clock, 'after').mockImplementation((milliseconds, task) => {
    if (milliseconds !== LONGEST_REQUEST_MS)
      return ManualClock.prototype.after.call(clock, milliseconds, task);
    setImmediate(task);
    return () => undefined;
  });
  try {
    return await Service.start({ clock, fill });
  } finally {
    after.mockRestore();
  }
}

const unpack = async (release: string, name: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(__dirname, release, `${name}.tar.gz`), '-C', folder]);
};

/** When an app is to ask again has another rule since 1.0.0-rc.1, which named only ends of decisions and keys. */
function withoutRefresh(data: unknown): unknown {
  if (data === null || typeof data !== 'object' || !('refresh_at' in data)) return data;
  return { ...data, refresh_at: expect.any(String) as string };
}

/** Reads everything again. Fields may have come since. */
async function demandAnswers(service: Service, { answers }: KeptAnswers): Promise<void> {
  for (const { as, path, data } of answers)
    expect(await answerOf(service, as, path)).toMatchObject({ path, data: withoutRefresh(data) });
}

describe.each(RELEASES)('the store of %s', (release) => {
  const kept = jest.requireActual<KeptAnswers>(`./${release}/answers.json`);
  let service: Service;

  const start = async (fill: (folder: string) => Promise<unknown>) => {
    service = await upgraded(fill, kept.now);
  };
  afterEach(() => service.close());

  it('gives the same answers, also from views that are built anew', async () => {
    await start((folder) => unpack(release, 'data', folder));
    const { token, path, body, key } = kept.replay;
    const again = await service.call('put', path, { token, body, headers: { 'Idempotency-Key': key } });
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    await demandAnswers(service, kept);
    await service.restart({ keepViews: false });
    await demandAnswers(service, kept);
  });

  it('is whole, and takes new writes', async () => {
    await start((folder) => unpack(release, 'data', folder));
    expect(await runHere(['audit', 'verify'], { DATA_DIR: service.path })).toMatchObject({ status: 0 });
    const balance = { token: kept.replay.token, body: { balance_due: 900 } };
    demand(200, await service.call('patch', '/api/v2/units/A-1', balance));
  });

  it('announces nothing of the past', async () => {
    await start((folder) => unpack(release, 'data', folder));
    const units = new Set<string>();
    for (const { type, data } of await service.events())
      if (type === 'UnitRegistered') units.add(data['unit_id'] as string);
    const announced = await waitUntil(
      async () => {
        service.manualClock.advance(250);
        return service.announcements();
      },
      ({ length }) => length >= units.size,
    );
    expect(announced.filter(({ type }) => type === 'AccessBaseline')).toHaveLength(units.size);
    expect(announced.filter(({ type }) => type !== 'AccessBaseline')).toEqual([]);
  });

  it('comes back from its backup', async () => {
    const backup = await temporaryFolder();
    await unpack(release, 'backup', backup.path);
    await start(async (folder) => {
      const restored = await runHere(['restore', backup.path, '--key', kept.key], { DATA_DIR: folder });
      expect(restored).toMatchObject({ status: 0 });
    });
    await demandAnswers(service, kept);
    await backup.remove();
  });
});

/** Types that no release has written yet. The next release keeps a store that holds them. */
const NEWER_TYPES: readonly string[] = [
  'WebhookAdded',
  'WebhookChanged',
  'WebhookSecretRotated',
  'WebhookRemoved',
  'LocationHoursChanged',
  'LocationContactChanged',
  'LocationPaymentUrlChanged',
  'LocationCurrencyChanged',
  'LocationNoticesChanged',
  'LocationTenantSharingChanged',
  'ZoneRenamed',
  'ZoneRemoved',
  'EntryPointHoursChanged',
  'EntryPointKeyFormatChanged',
  'EntryPointRemoved',
  'LockKeyFormatChanged',
  'LockRenamed',
  'LockRemoved',
  'OperatorOfSitesAdded',
  'OperatorOfSitesChanged',
  'OperatorInvited',
  'OperatorInvitationWithdrawn',
  'OperatorInvitationAccepted',
  'OperatorSignOnLinked',
  'OperatorSignOnUnlinked',
  'OperatorSignedOn',
  'OperatorSignOnRefused',
  'OperatorPasswordAllowed',
  'OperatorSummarySwitched',
  'PassIssued',
  'PassChanged',
  'PassEnded',
  'TenantNotified',
  'TenantCalled',
  'TenantCallTakenBack',
  'TenantTransferredIn',
  'TenantTransferredOut',
  'UnitShareOffered',
  'UnitShareCodeRefused',
  'UnitShareAccepted',
  'UnitShareOfferEnded',
  'RoundTheClockGranted',
  'RoundTheClockEnded',
  'AccessBaseline',
  'AccessChanged',
];

it('a store holds an event of every type', async () => {
  const told = new Set<string>();
  for (const release of RELEASES) {
    const service = await upgraded((folder) => unpack(release, 'data', folder));
    for (const { type } of await service.wholeLog()) told.add(type);
    await service.close();
  }
  expect(EVENT_TYPES.filter((type) => !told.has(type))).toEqual(NEWER_TYPES);
});
