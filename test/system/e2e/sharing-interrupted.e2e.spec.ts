import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { newNumber, SharingWorld } from '../../api/tenant/support/sharing-world.js';
import type { Answer } from '../../support/http-client.js';
import { ManualClock } from '../../support/manual-clock.js';
import { demand, Service, type Stores } from '../../support/service.js';
import { withMembers } from '../../support/with-members.js';

/**
 * A request is cut short at each of its writes, before it or after it, and sent again under the same key: as after a crash
 * between two steps.
 */

/** The write that fails, counted from now; 0: none. */
let failing = 0;
let isStored = false;
let counted = 0;
/** Writes that are begun at once share a commit. */
let isOpen = false;

async function cutShort<T>(write: () => Promise<T>): Promise<T> {
  if (!isOpen) counted += 1;
  isOpen = true;
  queueMicrotask(() => (isOpen = false));
  if (counted !== failing) return write();
  if (isStored) await write();
  throw new StoreUnavailableError('The store is away, as the test wants it.', isStored);
}

function wrap(stores: Stores): Stores {
  const { records, eventStore } = stores;
  return {
    ...stores,
    records: withMembers(records, { write: (...given) => cutShort(() => records.write(...given)) }),
    eventStore: withMembers(eventStore, {
      append: (...given) => cutShort(() => eventStore.append(...given)),
    }),
  };
}

let service: Service;
let world: SharingWorld;

beforeAll(async () => {
  const clock = new ManualClock(Date.parse('2026-03-02T15:00:00.000Z'));
  service = await Service.start({ clock, wrap });
});
afterAll(() => service.close());
beforeEach(async () => {
  failing = 0;
  world = await SharingWorld.make(service);
});

/** Sends until it is answered; the first try may fail at one write. @returns the answer, and how many writes the first made */
async function send(at: number, stored: boolean, request: () => Promise<Answer>) {
  [counted, failing, isStored] = [0, at, stored];
  const first = await request();
  const writes = counted;
  failing = 0;
  if (first.status < 300) return { answer: first, writes, isCut: false };
  expect(first.status).toBe(503);
  // The reservation of a process that is alive is waited for.
  service.manualClock.advance(15_000);
  return { answer: await request(), writes, isCut: true };
}

const PLACES = Array.from({ length: 24 }, (_, index) => index + 1);

describe.each([
  ['before it is stored', false],
  ['after it is stored', true],
])('cut short at one write, %s,', (_, stored) => {
  it('an invitation is one offer, one account, one text and one point of each budget', async () => {
    let deepest = 0;
    for (const at of PLACES) {
      world = await SharingWorld.make(service);
      const body = world.body({ phone_number: newNumber() });
      const { answer, writes, isCut } = await send(at, stored, () =>
        world.tenant.shares('post', '', body, `k-${at}`),
      );
      const { share_id } = demand(201, answer);
      if (isCut) deepest = Math.max(deepest, writes);
      expect(await world.sharingEvents()).toEqual(['UnitShareOffered']);
      const { shares } = demand(200, await world.tenant.shares('get'));
      expect(shares).toMatchObject([{ share_id, state: 'offered', name: 'Daniel Brooks' }]);
      expect((await world.textsTo(`+1${body.phone_number}`)).length).toBeLessThanOrEqual(1);
      const guest = await world.appOf(await world.accountWith(`+1${body.phone_number}`));
      const accepted = await guest.shares('post', `/${share_id as string}/accept`, {
        code: shares[0].code as string,
      });
      expect(accepted.status).toBe(200);
      // Four more of the day's five, and no sixth.
      const more: number[] = [];
      for (let person = 0; person < 4; person += 1) more.push((await world.offer()).status);
      expect(more).toEqual([201, 201, 201, 201]);
      expect((await world.offer({ phone_number: body.phone_number })).status).toBe(429);
    }
    expect(deepest).toBeGreaterThanOrEqual(8);
  });

  it('an acceptance begins one share, and tells the tenant at most once', async () => {
    for (const at of PLACES.slice(0, 10)) {
      world = await SharingWorld.make(service);
      const { accept, guest } = await world.invite();
      const { answer } = await send(at, stored, () => accept(undefined, `a-${at}`));
      expect(answer.status).toBe(200);
      expect(await world.sharingEvents()).toEqual(['UnitShareOffered', 'UnitShareAccepted']);
      expect((await guest.access()).units).toHaveLength(1);
      expect((await world.textsTo(world.tenant_phone)).length).toBeLessThanOrEqual(1);
    }
  });

  it('a wrong code counts once', async () => {
    for (const at of PLACES.slice(0, 5)) {
      world = await SharingWorld.make(service);
      const { accept, guest, code } = await world.invite();
      const wrong = code === '111111' ? '222222' : '111111';
      [counted, failing, isStored] = [0, at, stored];
      await accept(wrong, `w-${at}`);
      failing = 0;
      service.manualClock.advance(15_000);
      expect((await accept(wrong, `w-${at}`)).status).toBe(422);
      const { invitations } = demand(200, await guest.shares('get'));
      expect(invitations).toMatchObject([{ tries_left: 4 }]);
    }
  });

  it('an end is one, also without a key', async () => {
    for (const at of PLACES.slice(0, 3)) {
      world = await SharingWorld.make(service);
      const { share_id, accept } = await world.invite();
      demand(200, await accept());
      const { answer } = await send(at, stored, () => world.tenant.shares('delete', `/${share_id}`));
      expect(answer.status).toBe(200);
      expect((await world.sharingEvents()).filter((type) => type === 'UnitShareEnded')).toHaveLength(1);
    }
  });
});
