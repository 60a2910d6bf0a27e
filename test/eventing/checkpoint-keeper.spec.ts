import type { DocumentWrite } from '../../src/documents/document-store.js';
import { CheckpointKeeper } from '../../src/eventing/checkpoint-keeper.js';
import { StoreUnavailableError } from '../../src/eventing/event-store.errors.js';
import { MemoryDocumentStore } from '../simulation/stores/memory-document-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { waitUntil } from '../support/wait-until.js';

/** Views that cannot be reached while `down`. */
class FailingViews extends MemoryDocumentStore {
  down = false;
  attempts = 0;

  override write(writes: readonly DocumentWrite[]) {
    this.attempts += 1;
    if (this.down) return Promise.reject(new StoreUnavailableError('The views cannot be reached.', true));
    return super.write(writes);
  }
}

describe('the checkpoint of the views', () => {
  it('is saved once the views can be reached again, though no event follows', async () => {
    const clock = new ManualClock();
    const views = new FailingViews(clock);
    const keeper = new CheckpointKeeper(views, clock);
    await keeper.open();
    await keeper.move(7n);
    views.down = true;
    clock.advance(1_000);
    await waitUntil(
      () => clock.pending,
      (pending) => pending === 1,
    );
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
  });
});
