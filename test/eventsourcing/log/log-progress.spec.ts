import { progressInLines } from '#eventsourcing/log/log-progress.js';
import { ManualClock } from '../../support/manual-clock.js';

describe('the progress of long work', () => {
  it('is told once a second, with the rate since it began and the time that is left', () => {
    const clock = new ManualClock();
    const lines: string[] = [];
    const progress = progressInLines((line) => lines.push(line), 'verified', clock);
    clock.advance(999);
    progress(100, 0.01);
    clock.advance(1_001);
    progress(5_000, 0.25);
    clock.advance(500);
    progress(6_000, 0.3);
    clock.advance(1_500);
    progress(20_000, 1);
    expect(lines).toEqual([
      'verified 5000 events (25 %), 2500 a second, 6 s left\n',
      'verified 20000 events (100 %), 5000 a second, 0 s left\n',
    ]);
  });

  it('names records where they are what is counted', () => {
    const clock = new ManualClock();
    const lines: string[] = [];
    const progress = progressInLines((line) => lines.push(line), 'copied', clock, 'records');
    clock.advance(2_000);
    progress(500, 0.5);
    expect(lines).toEqual(['copied 500 records (50 %), 250 a second, 2 s left\n']);
  });
});
