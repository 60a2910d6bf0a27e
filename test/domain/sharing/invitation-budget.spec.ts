import { type Invitation, InvitationBudget, type TakenInvitation } from '#domain/sharing/index.js';
import { ApiError } from '#kernel/errors/api-error.js';
import type { RateLimiter } from '#kernel/rate-limiter.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../../support/embedded-world.js';

let world: EmbeddedWorld;
let now: number;

beforeEach(async () => {
  world = await openEmbeddedWorld();
  now = world.clock.now();
});
afterEach(() => world.close());

/** The budget of one of several processes. */
function budgetOfProcess(): InvitationBudget {
  const refusal = () => new ApiError(429, 'Too many requests.', { code: 'rate_limited' });
  return new InvitationBudget(world.records, { define: () => undefined, refusal } as unknown as RateLimiter);
}

const invitation = (number: number): Invitation => ({
  share_id: `share-${number}`,
  tenant_id: 'ada',
  phone: `+1312555010${number}`,
  unit_id: 'A-1',
  guest_id: `guest-${number}`,
});

test('Invitations of two processes at once are checked one after the other, each beside those before it', async () => {
  const beside: number[] = [];
  const room = (taken: readonly TakenInvitation[]) => {
    if (taken.length === 3) return Promise.reject(new Error('full'));
    beside.push(taken.length);
    return Promise.resolve();
  };
  const processes = [budgetOfProcess(), budgetOfProcess()];
  const outcomes = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((number) => processes[number % 2]!.take(invitation(number), now, room)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(beside).toEqual(expect.arrayContaining([0, 1, 2]));
});

test('An invitation for which there is no room takes no point', async () => {
  const budget = budgetOfProcess();
  const full = () => Promise.reject(new Error('full'));
  await expect(budget.take(invitation(1), now, full)).rejects.toThrow('full');
  let known: readonly TakenInvitation[] | undefined;
  await budget.take(invitation(1), now, (taken) => {
    known = taken;
    return Promise.resolve();
  });
  expect(known).toEqual([]);
});

test('An invitation that is repeated is not checked again, and takes no second point', async () => {
  const budget = budgetOfProcess();
  await budget.take(invitation(1), now, () => Promise.resolve());
  await budget.take(invitation(1), now, () => Promise.reject(new Error('full')));
  let known: readonly TakenInvitation[] = [];
  await budget.take(invitation(2), now, (taken) => {
    known = taken;
    return Promise.resolve();
  });
  expect(known).toEqual([{ share_id: 'share-1', at: now, unit_id: 'A-1', guest_id: 'guest-1' }]);
});
