import { of, millisecondsEach, middle, quotient, ratio } from '../../../tools/bench/comparison.js';
import { report } from '../../../tools/bench/report.js';
import type { Sample } from '../../../tools/bench/rounds.js';
import { type Clients, scenarioNamed } from '../../../tools/bench/scenarios.js';
import { median, percentile } from '../../../tools/bench/statistics.js';

interface Measured {
  readonly name?: string;
  readonly clients?: Clients;
  readonly rates: readonly number[];
  readonly cpu?: number;
}

/** Samples of one contestant, one for each round; bare Express does a hundred requests a second. */
function samples(
  contestant: string,
  { name = 'move_in_new', clients = 'many', rates, cpu }: Measured,
): Sample[] {
  return rates.map((rate, round) => ({
    scenario: scenarioNamed(name),
    clients,
    contestant,
    round,
    rate,
    ceilingRate: 100,
    cpuMicroseconds: cpu,
    ceilingCpuMicroseconds: 10,
    milliseconds: [1, 2, 3],
  }));
}

/** The cells of the line that begins with a name. */
function cells(text: string, beginning: string): string[] {
  const line = text.split('\n').find((one) => one.startsWith(`${beginning} `));
  return line?.split(/  +/) ?? [];
}

describe('arithmetic of the benchmark', () => {
  it('knows the middle, and what a part of the numbers does not exceed', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([10, 9, 100])).toBe(10);
    expect(median([1, 4])).toBe(2.5);
    expect(percentile([1, 2, 3, 4], 1)).toBe(4);
    expect(median([])).toBeNaN();
  });

  it('takes medians over rounds, of the contestant that is asked for', () => {
    const all = [...samples('this', { rates: [50, 10, 20] }), ...samples('other', { rates: [90, 90, 90] })];
    expect(middle(all, 'this', ratio)).toBe(0.2);
    expect(middle(all, 'other', millisecondsEach)).toBeCloseTo(11.11, 2);
  });

  it('divides what one round has measured, and not medians of different rounds', () => {
    const all = [...samples('this', { rates: [10, 40, 90] }), ...samples('other', { rates: [20, 20, 100] })];
    expect(quotient([of(all, 'this'), of(all, 'other')], ratio)).toBe(0.9);
  });

  it('knows no quotient of what was not measured', () => {
    const [one, other] = [samples('this', { rates: [1] }), samples('other', { rates: [1] })];
    expect(quotient([one, other], (sample) => sample.cpuMicroseconds)).toBeNaN();
  });
});

describe('the report', () => {
  it('compares this build with the others, row by row', () => {
    const text = report(
      [
        ...samples('this', { rates: [40, 40, 40], cpu: 100 }),
        ...samples('peer', { rates: [20, 20, 20], cpu: 200 }),
        ...samples('this', { rates: [36, 36, 36], name: 'move_in_keyed', cpu: 100 }),
        ...samples('peer', { rates: [10, 10, 10], name: 'move_in_keyed', cpu: 100 }),
        ...samples('this', { rates: [500, 500, 500], clients: 'one', cpu: 1_500 }),
        ...samples('peer', { rates: [100, 100, 100], clients: 'one', cpu: 3_000 }),
        ...samples('this', { rates: [10, 10, 10], name: 'bulk_new', clients: 'one' }),
        ...samples('peer', { rates: [10, 10, 10], name: 'bulk_new', clients: 'one' }),
      ],
      64,
    );
    expect(text).toContain('64 clients: requests a second, of bare Express (100/s)');
    expect(cells(text, 'move_in_new')).toEqual(['move_in_new', '0.40', '0.20', '2.00']);
    expect(cells(text, 'move_in_new_one')).toEqual(['move_in_new_one', '2.00', '10.00', '0.20']);
    expect(cells(text, 'bulk_new')).toEqual(['bulk_new', '100.00', '100.00', '1.00']);
    const keyed = text.slice(text.indexOf('With an Idempotency-Key'));
    expect(cells(keyed, 'move_in_keyed')).toEqual(['move_in_keyed', '0.90', '0.50']);
    const processor = text.slice(text.indexOf('One client: processor time'));
    expect(cells(processor, 'move_in_new_one')).toEqual(['move_in_new_one', '1.50', '3.00', '0.50']);
  });
});
