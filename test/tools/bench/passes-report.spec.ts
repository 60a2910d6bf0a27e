import { type PassSample, PASSES } from '../../../src/tools/bench/log/passes.js';
import { passesReport } from '../../../src/tools/bench/log/passes-report.js';

const [migrate, verify] = PASSES;

function round(clientSeconds: number, seconds: number): PassSample[] {
  const client = { events: 1_000, seconds: clientSeconds, cpuSeconds: 0.02, peakBytes: 2 ** 20 };
  const figures = { events: 1_000, seconds, cpuSeconds: 0.03, peakBytes: 2 ** 22 };
  return [migrate!, verify!].map((pass) => ({ pass, build: 'this', figures, client }));
}

describe('the report of the passes over a log', () => {
  it('compares each with the client of its own round', () => {
    const lines = passesReport([...round(1, 4), ...round(0.5, 1), ...round(0.5, 0.5)])
      .split('\n')
      .filter((line) => /^(log's|migrate|audit)/.test(line))
      .map((line) => line.split(/\s{2,}/));
    expect(lines).toEqual([
      ["log's client", '2000', '20.0', '1'],
      ['migrate this', '1000', '30.0', '4', '0.50', '≥ 5000/s', '1.50'],
      ['audit_verify this', '1000', '30.0', '4', '0.50', '≥ 0.40', '1.50'],
    ]);
  });

  it('says nothing of processor time and memory where the system does not', () => {
    const unknown = { events: 10, seconds: 1, cpuSeconds: undefined, peakBytes: undefined };
    const text = passesReport([{ pass: verify!, build: 'this', figures: unknown, client: unknown }]);
    expect(text).not.toMatch(/NaN|undefined/);
  });
});
