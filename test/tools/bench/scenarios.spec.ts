import { preparingBulks, SCENARIOS, scenarioNamed, type Target } from '../../../tools/bench/scenarios.js';

const TARGET: Target = { port: 1, api_token: 'a', tenant_token: 't', entity_tag: '"e"', units: 1_200 };

interface Entry {
  readonly crm_unit_id: string;
  readonly pms_tenant_id?: string;
  readonly move_in_date?: string;
  readonly ledger_id?: string;
}

function preparedEntries(): Map<string, Entry> {
  const bulks = [...preparingBulks(TARGET)].map(
    ({ body }) => (JSON.parse(body!) as { units: Entry[] }).units,
  );
  expect(bulks.every((units) => units.length <= 500)).toBe(true);
  return new Map(bulks.flat().map((entry) => [entry.crm_unit_id, entry]));
}

describe('requests of the benchmark', () => {
  it('prepare as many units as were asked for, beside those of the bulks', () => {
    expect(preparedEntries().size).toBe(TARGET.units + 500);
  });

  it('repeat a prepared move-in to the letter', () => {
    const entries = preparedEntries();
    const { request } = scenarioNamed('move_in_unchanged');
    for (let count = 0; count < 2_000; count += 1) {
      const { path, body } = request(count, TARGET);
      const { pms_tenant_id, move_in_date, ledger_id } = entries.get(path.split('/')[4]!)!;
      expect(JSON.parse(body!)).toEqual({ pms_tenant_id, move_in_date, ledger_id });
    }
  });

  it.each(['move_in_new', 'move_in_keyed'])('name no unit, tenant or key twice: %s', (name) => {
    const { request } = scenarioNamed(name);
    const seen = new Set(Array.from({ length: 500 }, (_, count) => JSON.stringify(request(count, TARGET))));
    expect(seen.size).toBe(500);
  });

  it('change the balance of every unit each time they come to it, whichever way', () => {
    const balances = new Map<string, number>();
    for (let count = 0; count < 3_000; count += 1) {
      for (const name of ['facts_changed', 'facts_changed_keyed']) {
        const { path, body } = scenarioNamed(name).request(count, TARGET);
        const { balance_due } = JSON.parse(body!) as { balance_due: number };
        expect(balance_due).not.toBe(balances.get(path));
        expect(balance_due).toBe(Number(balance_due.toFixed(2)));
        balances.set(path, balance_due);
      }
    }
    expect(balances.size).toBe(TARGET.units);
  });

  it('are compared, where they carry a key, with what is the same without', () => {
    for (const { keyless, request } of SCENARIOS.filter((scenario) => scenario.keyless !== undefined)) {
      const [one, other] = [request(1, TARGET), scenarioNamed(keyless!).request(1, TARGET)];
      expect(one.headers).toHaveProperty('Idempotency-Key');
      expect([one.method, Object.keys(JSON.parse(one.body!) as object)]).toEqual([
        other.method,
        Object.keys(JSON.parse(other.body!) as object),
      ]);
    }
  });
});
