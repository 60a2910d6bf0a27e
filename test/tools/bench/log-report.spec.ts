import { LOG_ROWS, type LogSample } from '../../../tools/bench/log/log-cost.js';
import { logReport } from '../../../tools/bench/log/log-report.js';

function sample(client: number, adapter: number): LogSample {
  return {
    row: LOG_ROWS[0]!,
    client: { rate: client, cpuMicroseconds: 250 },
    adapter: { rate: adapter, cpuMicroseconds: 500 },
  };
}

describe('the report of what the log costs', () => {
  it('compares the adapter with the client of the same round', () => {
    const samples = [sample(4_000, 1_000), sample(2_000, 1_000), sample(1_000, 600)];
    const line = logReport(samples)
      .split('\n')
      .find((text) => text.startsWith('append'));
    expect(line!.trimEnd().split(/\s{2,}/)).toEqual([
      'append',
      '2000',
      '1000',
      '0.50',
      '≥ 1.00',
      '250.0',
      '500.0',
      '2.00',
    ]);
  });
});
