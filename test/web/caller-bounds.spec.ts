import type { Principal } from '#kernel/principals.js';
import { CallerBounds } from '#web/caller-bounds.js';
import { ManualClock } from '../support/manual-clock.js';

const token = (id: string, scope: 'read' | 'write'): Principal => ({
  ...{ kind: 'api_token', id, company_id: 'one company', scope },
});
const deadline = { isOver: false };

test('bodies that one token of a company holds back delay no other token', async () => {
  const bounds = new CallerBounds(new ManualClock());
  let end: () => void = () => undefined;
  const never = new Promise<void>((resolve) => (end = resolve));
  const read: string[] = [];
  const reading = (id: string, scope: 'read' | 'write', held: Promise<void>) =>
    bounds.whileReading(
      token(id, scope),
      () => {
        read.push(id);
        return held;
      },
      deadline,
    );
  const slow = Array.from({ length: 9 }, () => reading('reader', 'read', never));
  const fast = reading('writer', 'write', Promise.resolve());
  // A wait for a slot would last until the clock moves.
  await Promise.race([fast, new Promise(setImmediate)]);
  expect(read).toEqual([...Array<string>(8).fill('reader'), 'writer']);
  end();
  await Promise.all([...slow, fast]);
});
