import { LOG_ROWS, type LogSample } from '../../../src/tools/bench/log/log-cost.js';
import { logReport } from '../../../src/tools/bench/log/log-report.js';

const [many, one] = LOG_ROWS;

function sample(row: LogSample['row'], client: number, service: number): LogSample {
  return {
    row,
    client: { rate: client, cpuMilliseconds: 0.25 },
    service: { rate: service, cpuMilliseconds: 1.5 },
  };
}

describe('the report of what the log costs', () => {
  it('compares rates where many write, and times where one waits, round by round', () => {
    const rounds = [
      [4_000, 1_000],
      [2_000, 1_000],
      [1_000, 600],
    ] as const;
    const lines = logReport([
      ...rounds.map(([client, service]) => sample(many!, client, service)),
      ...rounds.map(([client, service]) => sample(one!, client, service)),
    ])
      .split('\n')
      .filter((line) => line.startsWith('move_in'))
      .map((line) => line.split(/\s{2,}/));
    expect(lines).toEqual([
      ['move_in_new', '2000.00', '1000.00', '0.50', '≥ 0.30', '0.25', '1.50'],
      ['move_in_new_one', '0.50', '1.00', '2.00', '≤ 3.00', '0.25', '1.50'],
    ]);
  });
});
