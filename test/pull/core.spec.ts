import fc from 'fast-check';
import { planOf } from '#web/validation/dto-plan.js';
import { MAPPED_FIELDS, mappingFault, renamed } from '#pull/core/mapping.js';
import { decidePullSource, evolvePullSource, type PullSourceCommand } from '#pull/core/pull-source.decide.js';
import type { PullSourceEvent } from '#pull/core/pull-source.events.js';
import { MOST_TRIES, nextRunAt, waitBeforeRetry } from '#pull/core/retry.js';
import { BulkEntry, TenantBody } from '#api/push/unit.dto.js';
import { SecretBox } from '#kernel/secret-box.js';

describe('a mapping', () => {
  test('leads to every field of a bulk entry and of its tenant, and to no other', () => {
    const fields = planOf(BulkEntry).fields.map(({ name }) => name);
    const ofTenant = planOf(TenantBody).fields.map(({ name }) => `tenant.${name}`);
    expect([...MAPPED_FIELDS].sort()).toEqual([...fields, ...ofTenant].sort());
  });

  test('renames, lifts out of nested objects, nests, and leaves out', () => {
    const entry = {
      unitNo: 'A-1',
      occupied: true,
      money: { due: 12.5, currency: null },
      person: { first: 'Ada', last: 'Park', age: 36 },
      internal: 'x',
    };
    const mapping = {
      unitNo: 'crm_unit_id',
      'money.due': 'balance_due',
      'money.currency': null,
      'person.first': 'tenant.first_name',
      'person.last': 'tenant.last_name',
      person: null,
      internal: null,
    };
    expect(renamed(entry, mapping)).toEqual({
      crm_unit_id: 'A-1',
      occupied: true,
      balance_due: 12.5,
      tenant: { first_name: 'Ada', last_name: 'Park' },
    });
  });

  test('keeps what it does not name, beside a field of the same object that it does', () => {
    const entry = { crm_unit_id: 'A-1', tenant: { id: 't-1', email: null }, person: { a: 1, b: 2 } };
    expect(renamed(entry, { 'tenant.id': 'tenant.pms_tenant_id', 'person.a': 'ledger_id' })).toEqual({
      crm_unit_id: 'A-1',
      tenant: { pms_tenant_id: 't-1', email: null },
      person: { b: 2 },
      ledger_id: 1,
    });
  });

  test('swaps two names, and passes by what is not there', () => {
    const mapping = {
      unit_name: 'crm_unit_id',
      crm_unit_id: 'unit_name',
      gone: 'ledger_id',
      'a.b': 'balance_due',
    };
    expect(renamed({ unit_name: 'x', crm_unit_id: 'y', a: 5 }, mapping)).toEqual({
      crm_unit_id: 'x',
      unit_name: 'y',
      a: 5,
    });
  });

  const LIST = {
    unit: 'crm_unit_id',
    id: 'pms_tenant_id',
    first: 'tenant.first_name',
    last: 'tenant.last_name',
    mail: 'tenant.email',
    owed: 'balance_due',
    paid: 'paid_through_date',
  };

  test('takes empty cells of a vacant row as no tenant, and the id beside details as theirs', () => {
    const empty = { id: '', first: ' ', last: null, mail: '', owed: '', paid: '' };
    expect(renamed({ unit: 'A-1', occupied: false, ...empty }, LIST)).toEqual({
      ...{ crm_unit_id: 'A-1', occupied: false, pms_tenant_id: null, tenant: null, paid_through_date: null },
    });
    const rented = { unit: 'A-2', occupied: true, id: 'T', first: 'Ada', last: 'Park', mail: '', owed: null };
    expect(renamed(rented, LIST)).toEqual({
      ...{ crm_unit_id: 'A-2', occupied: true, pms_tenant_id: 'T', balance_due: null },
      tenant: { pms_tenant_id: 'T', first_name: 'Ada', last_name: 'Park', email: null },
    });
    const left = { unit: 'A-3', occupied: false, id: '', first: 'Ada', last: '' };
    expect(renamed(left, LIST)).toMatchObject({ tenant: { first_name: 'Ada', last_name: null } });
  });

  test('keeps an id of its own in the details', () => {
    const both = { occupied: true, pms_tenant_id: 'T', tenant: { pms_tenant_id: 'U', note: '' } };
    expect(renamed(both, {})).toEqual({ ...both, tenant: { pms_tenant_id: 'U', note: null } });
    expect(renamed({ tenant: { email: 'x' } }, {})).toEqual({ tenant: { email: 'x' } });
  });

  it.each([
    ['0.00', 0],
    ['-12.5', -12.5],
    ['12,50', '12,50'],
    ['$12', '$12'],
  ])('reads the amount %j as %j', (balance_due, read) => {
    expect(renamed({ balance_due, unit_name: balance_due }, {})).toEqual({
      balance_due: read,
      unit_name: balance_due,
    });
  });

  test('gives a field the value that a name after = states, whatever the entry says', () => {
    const mapping = { '=MAIN.1': 'pms_location_code', '=x': 'tenant.first_name', '=': null };
    expect(renamed({ pms_location_code: 'SIDE', a: 5 }, mapping)).toEqual({
      ...{ pms_location_code: 'MAIN.1', a: 5 },
      tenant: { first_name: 'x' },
    });
    expect(renamed(5, mapping)).toBe(5);
  });

  test.each([[null], [5], ['text'], [[1]]])('leaves %j as it came, for others to refuse', (entry) => {
    expect(renamed(entry, { a: 'crm_unit_id' })).toEqual(entry);
  });

  test('changes no prototype', () => {
    const entry = JSON.parse('{"__proto__":{"occupied":true},"constructor":{"x":1}}') as unknown;
    const made = renamed(entry, { 'constructor.y': 'ledger_id', toString: 'unit_name' }) as object;
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect((made as { occupied?: unknown }).occupied).toBeUndefined();
    expect(Object.keys(made)).toEqual(['__proto__', 'constructor']);
  });

  /** Would take minutes if every name were sought among all of the mapping. */
  test('leaves out many fields at once', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
    const mapping = Object.fromEntries(names.map((name) => [`${name}.a`, null]));
    const entry = Object.fromEntries(names.map((name) => [name, { a: 1, b: 2 }]));
    expect(renamed(entry, mapping)).toMatchObject({ n0: { b: 2 }, n99999: { b: 2 } });
  });

  test('that names nothing changes nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (entry) => {
        expect(renamed(entry, {})).toEqual(entry);
      }),
    );
  });

  test.each([
    [[], 'must be an object.'],
    [null, 'must be an object.'],
    [{ a: 'nothing' }, 'must lead to fields of a bulk entry, or to null.'],
    [{ a: 5 }, 'must lead to fields of a bulk entry, or to null.'],
    [{ a: 'occupied', b: 'occupied' }, 'must not lead to one field twice.'],
    [{ 'a..b': null }, 'must name fields by 1 to 255 characters, with no empty part between dots.'],
    [{ '': null }, 'must name fields by 1 to 255 characters, with no empty part between dots.'],
    [
      Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, null])),
      'must not have more than 100 entries.',
    ],
    [{ a: 'occupied', b: null, c: null }, undefined],
    [{ '=A..B.': 'pms_location_code' }, undefined],
    [
      { '=': 'pms_location_code' },
      'must name fields by 1 to 255 characters, with no empty part between dots.',
    ],
    [
      { a: 'occupied', 'b.': null },
      'must name fields by 1 to 255 characters, with no empty part between dots.',
    ],
    [
      { ['a'.repeat(256)]: null },
      'must name fields by 1 to 255 characters, with no empty part between dots.',
    ],
    [{ ['a'.repeat(255)]: null }, undefined],
    [{ a: 'occupied', b: 'nothing' }, 'must lead to fields of a bulk entry, or to null.'],
    [Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, null])), undefined],
  ])('%j is held to its form', (mapping, fault) => {
    expect(mappingFault(mapping)?.text).toBe(fault);
  });
});

describe('retries', () => {
  test('wait twice as long each time, up to a half less by chance', () => {
    expect([1, 2, 3].map((tries) => waitBeforeRetry(tries, 1))).toEqual([1_000, 2_000, 4_000]);
    expect([1, 2, 3].map((tries) => waitBeforeRetry(tries, 0))).toEqual([500, 1_000, 2_000]);
    expect(waitBeforeRetry(MOST_TRIES, 1)).toBeUndefined();
  });

  test('wait for as long as the source asks, and not at all where that is too long', () => {
    expect(waitBeforeRetry(1, 0, 90_000)).toBe(90_000);
    expect(waitBeforeRetry(1, 0, 10)).toBe(500);
    expect(waitBeforeRetry(1, 0, 120_000)).toBe(120_000);
    expect(waitBeforeRetry(1, 0, 120_001)).toBeUndefined();
  });
});

test('the next run keeps to whole intervals and is always still to come', () => {
  expect(nextRunAt(1_000, 60, 1_000)).toBe(61_000);
  expect(nextRunAt(1_000, 60, 60_999)).toBe(61_000);
  expect(nextRunAt(1_000, 60, 61_000)).toBe(121_000);
  expect(nextRunAt(1_000, 60, 200_000)).toBe(241_000);
});

describe('what operators do to a source', () => {
  const terms = { name: 'Main', interval_seconds: 60, enabled: true };
  const add = { type: 'AddPullSource', pull_source_id: 'P', company_id: 'C', terms } as const;
  const decided = (history: readonly PullSourceEvent[], command: PullSourceCommand) => {
    const fold = (state: Parameters<typeof evolvePullSource>[0], event: PullSourceEvent) =>
      evolvePullSource(state, event);
    const outcome = decidePullSource(history.reduce(fold, undefined), command);
    return 'events' in outcome ? outcome.events : outcome;
  };
  const added: PullSourceEvent = {
    type: 'PullSourceAdded',
    data: { pull_source_id: 'P', company_id: 'C', ...terms },
  };

  test('begins with what it was added with, and no run asked for', () => {
    expect(evolvePullSource(undefined, added)).toStrictEqual({ ...terms, requested_run_id: null });
  });

  test('is told with the fields that changed', () => {
    expect(decided([], add)).toEqual([added]);
    const changed = { ...terms, name: 'Other', enabled: false };
    const command = { type: 'ChangePullSource', terms: changed, settings: ['auth_header', 'url'] } as const;
    expect(decided([added], command)).toEqual([
      {
        type: 'PullSourceChanged',
        data: { fields: ['auth_header', 'url', 'name', 'enabled'], ...changed },
      },
    ]);
    expect(decided([added], { type: 'RequestPullRun', run_id: 'R' })).toEqual([
      { type: 'PullRunRequested', data: { run_id: 'R' } },
    ]);
  });

  test('is told against what holds by then', () => {
    const changed: PullSourceEvent = {
      type: 'PullSourceChanged',
      data: { fields: ['enabled'], ...terms, enabled: false },
    };
    const back: PullSourceCommand = { type: 'ChangePullSource', terms, settings: [] };
    expect(decided([added, changed], back)).toEqual([
      { type: 'PullSourceChanged', data: { fields: ['enabled'], ...terms } },
    ]);
    const requested: PullSourceEvent = { type: 'PullRunRequested', data: { run_id: 'R' } };
    expect(decided([added, requested, changed], { type: 'RequestPullRun', run_id: 'R' })).toEqual([]);
    expect(decided([added, changed, requested], { ...back, terms: { ...terms, enabled: false } })).toEqual(
      [],
    );
  });

  test('of a source that the log does not know is told of the settings alone', () => {
    const change: PullSourceCommand = { type: 'ChangePullSource', terms, settings: ['url'] };
    expect(decided([], change)).toEqual([{ type: 'PullSourceChanged', data: { fields: ['url'], ...terms } }]);
    expect(decided([], { ...change, settings: [] })).toEqual([]);
    expect(decided([], { type: 'RequestPullRun', run_id: 'R' })).toHaveLength(1);
  });

  test('is not told again where it changes nothing', () => {
    expect(decided([added], add)).toEqual([]);
    expect(decided([added], { type: 'ChangePullSource', terms, settings: [] })).toEqual([]);
    const requested: PullSourceEvent = { type: 'PullRunRequested', data: { run_id: 'R' } };
    expect(decided([added, requested], { type: 'RequestPullRun', run_id: 'R' })).toEqual([]);
  });
});

describe('a sealed secret', () => {
  const box = new SecretBox(Buffer.alloc(32, 1));

  test('opens for its owner under its key alone, and looks otherwise each time', () => {
    const sealed = box.seal('Bearer s3cret', 'a');
    expect(box.open(sealed, 'a')).toBe('Bearer s3cret');
    expect(box.open(sealed, 'b')).toBeUndefined();
    expect(new SecretBox(Buffer.alloc(32, 2)).open(sealed, 'a')).toBeUndefined();
    expect(box.seal('Bearer s3cret', 'a')).not.toBe(sealed);
    expect(Buffer.from(sealed.slice(2), 'base64url').includes('s3cret')).toBe(false);
  });

  test('that was changed opens no more', () => {
    const sealed = box.seal('x', 'a');
    const last = sealed.at(-1) === 'A' ? 'B' : 'A';
    for (const changed of [
      '',
      '1.',
      '2' + sealed.slice(1),
      sealed.slice(0, -4),
      sealed.slice(0, -1) + last + 'AA',
    ])
      expect(box.open(changed, 'a')).toBeUndefined();
  });
});
