import { Disk } from '../../support/eventstoredb-double/index.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';
import { bench, closeBenches, PATIENT } from './fixture.js';

afterEach(closeBenches);

const event = { id: '6f1c2a52-5f0e-4a53-8b8a-3d3e4a4f6f10', type: 'Happened', data: {}, metadata: {} };

describe('a double of EventStoreDB that waits for a disk', () => {
  it('acknowledges no append, and shows none, before the disk has it', async () => {
    let flushed: () => void = () => undefined;
    const disk = { write: jest.fn(() => new Promise<void>((resolve) => (flushed = resolve))) };
    const { double, store } = await bench({ timings: PATIENT }, { disk, longestDeadline: HUNG });
    const ended = jest.fn();
    const append = store.append([{ stream: 's', expected: 'no_stream', events: [event] }]).finally(ended);
    await waitUntil(() => disk.write.mock.calls.length === 1);
    expect([double.userEvents, ended.mock.calls]).toEqual([[], []]);
    flushed();
    await expect(append).resolves.toMatchObject([{ kind: 'appended' }]);
    expect(double.userEvents).toHaveLength(1);
  });

  it('flushes once for all who wait at the same time', async () => {
    const disk = await Disk.open();
    const bytes = [Buffer.from('event')];
    await Promise.all([disk.write(bytes), disk.write(bytes), disk.write(bytes)]);
    expect(disk.flushes).toBe(2);
    await disk.close();
  });
});
