import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { CheckpointKeeper, type HandledEvent } from '#eventsourcing/projecting/checkpoint-keeper.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { MemoryDocumentStore } from '../../campaigns/simulation/stores/memory-document-store.js';
import { ManualClock } from '../../support/manual-clock.js';
import { waitUntil } from '../../support/wait-until.js';

/** Views that cannot be reached while `down`. */
class FailingViews extends MemoryDocumentStore {
  down = false;

  override write(writes: readonly DocumentWrite[]) {
    if (this.down) return Promise.reject(new StoreUnavailableError('The views cannot be reached.', true));
    return super.write(writes);
  }
}

/** An event that was handled, at a position. */
function handled(position: number): HandledEvent {
  return { id: `id-${position}`, stream: 'counter-a', revision: position, position: BigInt(position) };
}

describe('the checkpoint of the views', () => {
  it.each([
    ['at once', 1_000],
    ['later', 0],
  ])(
    'whose save was due %s is saved once the views answer again, although no event follows',
    async (_, age) => {
      const clock = new ManualClock();
      const views = new FailingViews(clock);
      const keeper = new CheckpointKeeper(views, clock);
      await keeper.open();
      clock.advance(age);
      views.down = true;
      await keeper.move(handled(7)).catch(() => undefined);
      clock.advance(1_000);
      await waitUntil(() => clock.pending === 1);
      views.down = false;
      clock.advance(1_000);
      const other = new CheckpointKeeper(views, clock);
      await waitUntil(
        () => other.read(),
        (position) => position === 7n,
      );
      await keeper.close();
      expect(clock.pending).toBe(0);
      expect(await other.read()).toBe(7n);
    },
  );
});
