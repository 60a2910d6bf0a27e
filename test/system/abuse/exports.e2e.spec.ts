import type { OperatorPrincipal } from '#kernel/principals.js';
import { Slots } from '#kernel/slots.js';
import { LogAudit } from '#api/operator/index.js';
import { OperatorSessions } from '#domain/operators/index.js';
import { ExportSlot } from '#api/operator/audit/export-slot.js';
import { ManualClock } from '../../support/manual-clock.js';
import { demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const PASSWORD = 'correct horse battery staple';

let service: Service;
let audit: LogAudit;
let root: OperatorPrincipal;
beforeEach(async () => {
  service = await Service.start();
  audit = service.part(LogAudit);
  root = await principalOf(await service.operatorToken());
});
afterEach(() => service.close());

async function principalOf(token: string): Promise<OperatorPrincipal> {
  return (await service.part(OperatorSessions).verify(token))!;
}

/** Asks for some exports, until each has its place or waits for one. */
async function asked(count: number): Promise<Promise<AsyncGenerator<string> | string>[]> {
  const taken = jest.spyOn(Slots.prototype, 'take');
  const outcomes = Array.from({ length: count }, () =>
    audit.export(root).catch((error: unknown) => (error as { code: string }).code),
  );
  await waitUntil(() => taken.mock.calls.length === count);
  taken.mockRestore();
  return outcomes;
}

async function whole(chunks: AsyncGenerator<string> | string): Promise<string> {
  if (typeof chunks === 'string') return chunks;
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe('an export of the log', () => {
  it('whose reader stalls gives its place to the one that waits', async () => {
    const stalled = await audit.export(root);
    await stalled.next();
    service.manualClock.advance(1_000);
    const [waiting] = await asked(1);
    service.manualClock.advance(5_000);
    expect(await whole(await waiting!)).toContain('"manifest"');
    await expect(stalled.next()).rejects.toThrow('its reader took less than 256 kB a second');
  });

  it('whose reader takes a little now and then gives it up as well', () => {
    const clock = new ManualClock();
    const release = jest.fn();
    /** How many of 100 chunks of 64 kB are taken, one every so many milliseconds. */
    const taken = (every: number) => {
      const place = new ExportSlot(release, clock);
      place.resume(0);
      for (let chunks = 0; chunks < 100; chunks += 1) {
        place.waitForReader();
        clock.advance(every);
        if (release.mock.calls.length > 0) return chunks;
        place.resume(65_536);
      }
      return 100;
    };
    expect(taken(250)).toBe(100);
    // 160 kB a second are too few. The place is lost after 16 s.
    expect(taken(400)).toBe(39);
    expect(clock.pending).toBe(0);
  });

  it('that nobody begins to read gives up its place', async () => {
    const never = await audit.export(root);
    await never.return(undefined);
    service.manualClock.advance(6_000);
    expect(await whole(await audit.export(root))).toContain('"manifest"');
  });

  it('is waited for by four others at most, longer than a reader may stall', async () => {
    const slow = await audit.export(root);
    expect((await slow.next()).done).toBe(false);
    const waiting = await asked(5);
    // One is too many, and is refused at once.
    expect(await Promise.race(waiting)).toBe('rate_limited');
    service.manualClock.advance(5_999);
    expect((await slow.next()).done).toBe(true);
    const texts = await Promise.all(waiting.map(async (one) => whole(await one)));
    expect(texts.filter((text) => text.includes('"manifest"'))).toHaveLength(4);
  });

  it('ends once its reader is removed', async () => {
    const eve = { email: 'eve@example.com', password: PASSWORD };
    const operator_id = await service.addOperator({ ...eve, role: 'auditor' });
    const signedIn = await service.call('post', '/api/operator/sessions', { body: eve });
    const chunks = await audit.export(await principalOf(demand(201, signedIn).token));
    demand(200, await service.operator('delete', `/operators/${operator_id}`));
    await expect(chunks.next()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await whole(await audit.export(root))).toContain('"manifest"');
  });
});
