import { ACCESS_POLICY_TABLE } from '#domain/access/core/access-policy-table.js';
import type { CheckName } from '#domain/access/core/decision.js';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import { explained, unit } from '../support/subjects.js';

describe('the published table', () => {
  it('is the one of the specification, in its order', () => {
    expect(ACCESS_POLICY_TABLE.version).toBe(1);
    expect(ACCESS_POLICY_TABLE.checks.map(({ name, state, reason }) => [name, state, reason])).toEqual([
      ['auction', 'auction', null],
      ['unrentable', 'unrentable', null],
      ['vacant', 'vacant', null],
      ['system_lockout', 'tenant_denied', 'system_lockout'],
      ['system_exempt', 'tenant_permitted', 'system_exempt'],
      ['future_move_in', 'tenant_denied', 'future_move_in'],
      ['pms_exempt', 'tenant_permitted', 'pms_exempt'],
      ['pms_lockout', 'tenant_denied', 'pms_lockout'],
      ['delinquent', 'tenant_denied', 'delinquent'],
      ['blanket_delinquency', 'tenant_denied', 'blanket_delinquency'],
      ['active', 'tenant_permitted', 'active'],
    ]);
  });

  it('numbers nothing: a check that is inserted renames no other', () => {
    for (const check of [...ACCESS_POLICY_TABLE.checks, ...explained(unit()).checks]) {
      expect(Object.values(check).filter((value) => typeof value === 'number')).toEqual([]);
    }
    expect(JSON.stringify(ACCESS_POLICY_TABLE)).not.toMatch(/checks? \d/);
  });

  it('says in a sentence when each check matches', () => {
    for (const { when } of ACCESS_POLICY_TABLE.checks) expect(when).toMatch(/^\S.+\.$/);
    const sentence = (name: CheckName) => ACCESS_POLICY_TABLE.checks.find((one) => one.name === name)!.when;
    const delinquent = explained(unit()).checks.find(({ name }) => name === 'delinquent')!;
    for (const { name } of delinquent.looked_at) expect(sentence('delinquent')).toContain(name);
    expect(sentence('blanket_delinquency')).toContain('blanket_delinquency is on');
  });

  it('has the checks that an explained decision lists', () => {
    const listed = explained(unit()).checks.map(({ name, state, reason }) => ({ name, state, reason }));
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
