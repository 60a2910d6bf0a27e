import { ACCESS_POLICY_TABLE } from '../../../src/access/core/access-policy-table.js';
import { DEFAULT_POLICY } from '../../../src/locations/index.js';
import { explained, unit } from '../support/subjects.js';

describe('the published table', () => {
  it('is the one of the specification, in its order', () => {
    expect(ACCESS_POLICY_TABLE.version).toBe(1);
    expect(
      ACCESS_POLICY_TABLE.checks.map(({ number, name, state, reason }) => [number, name, state, reason]),
    ).toEqual([
      [1, 'auction', 'auction', null],
      [2, 'unrentable', 'unrentable', null],
      [3, 'vacant', 'vacant', null],
      [4, 'system_lockout', 'tenant_denied', 'system_lockout'],
      [5, 'system_exempt', 'tenant_permitted', 'system_exempt'],
      [6, 'future_move_in', 'tenant_denied', 'future_move_in'],
      [7, 'pms_exempt', 'tenant_permitted', 'pms_exempt'],
      [8, 'pms_lockout', 'tenant_denied', 'pms_lockout'],
      [9, 'delinquent', 'tenant_denied', 'delinquent'],
      [10, 'blanket_delinquency', 'tenant_denied', 'blanket_delinquency'],
      [11, 'active', 'tenant_permitted', 'active'],
    ]);
  });

  it('says in a sentence when each check matches', () => {
    for (const { when } of ACCESS_POLICY_TABLE.checks) expect(when).toMatch(/^\S.+\.$/);
    const named = (check: number) => ACCESS_POLICY_TABLE.checks[check - 1]!.when;
    for (const { name } of explained(unit()).checks[8]!.looked_at) expect(named(9)).toContain(name);
    expect(named(10)).toContain('blanket_delinquency is on');
  });

  it('has the checks that an explained decision lists', () => {
    const listed = explained(unit()).checks.map(({ number, name, state, reason }) => ({
      number,
      name,
      state,
      reason,
    }));
    expect(ACCESS_POLICY_TABLE.checks).toMatchObject(listed);
  });

  it('has every field of a policy with its default, money as a decimal number', () => {
    const defaults = ACCESS_POLICY_TABLE.parameters.map(({ name, default: value }) => [name, value]);
    expect(defaults).toEqual([
      ['grace_period_days', 5],
      ['balance_threshold', 0],
      ['blanket_delinquency', true],
      ['delinquency_mode', 'automatic'],
      ['timezone', 'UTC'],
    ]);
    expect(Object.keys(DEFAULT_POLICY).sort()).toEqual(defaults.map(([name]) => name).sort());
  });

  it('says of every field of a policy what it may be, and what it is', () => {
    const may = ACCESS_POLICY_TABLE.parameters.map(({ name: _, default: __, description, ...bounds }) => {
      expect(description).toMatch(/^\S.+\.$/);
      return bounds;
    });
    expect(may).toEqual([
      { type: 'integer', minimum: 0, maximum: 90 },
      { type: 'number', minimum: 0, maximum: 9_999_999_999.99 },
      { type: 'boolean' },
      { type: 'string', values: ['automatic', 'pms_flag_only'] },
      { type: 'string' },
    ]);
  });
});
