import type { FactName, UnitFacts } from '#domain/units/core/fact-catalogue.js';
import { WARNING_MESSAGES, factsWarnings } from '#domain/units/core/unit.warnings.js';
import { NOW, POLICY, overridden, unit } from '../support/subjects.js';

function warnings(
  facts: Partial<UnitFacts>,
  touched: FactName[],
  override = overridden('lockout').override,
  now = NOW,
  policy = POLICY,
) {
  return factsWarnings({ facts: unit(facts).facts, override }, policy, now, new Set(touched));
}

it.each([
  ['lockout_suppressed_by_exemption', 'Set pms_lock_exempt to false'],
  ['balance_without_date', 'Send paid_through_date'],
  ['vacant_unit_owes', 'Move the tenant in'],
  ['auction_while_exempt', 'Set pms_auction to false'],
] as const)('%s says what to send for another outcome', (code, cure) => {
  expect(WARNING_MESSAGES[code]).toContain(cure);
});

describe('lockout_suppressed_by_exemption', () => {
  const facts = { pms_lockout: true, pms_lock_exempt: true };
  const expected = ['lockout_suppressed_by_exemption'];

  it('is given when the write named the lockout or the exemption', () => {
    expect(warnings(facts, ['pms_lockout'])).toEqual(expected);
    expect(warnings(facts, ['pms_lock_exempt', 'balance_due'])).toEqual(expected);
  });

  it('is not repeated at a write about something else', () => {
    expect(warnings(facts, ['balance_due', 'pms_auction'])).toEqual([]);
  });

  it("is given for an operator's exemption, until that ends", () => {
    const { override } = overridden('exempt', NOW + 1);
    expect(warnings({ pms_lockout: true }, ['pms_lockout'], override)).toEqual(expected);
    expect(warnings({ pms_lockout: true }, ['pms_lockout'], override, NOW + 1)).toEqual([]);
  });

  it('is not given without an exemption or without a lockout', () => {
    expect(warnings({ pms_lockout: true }, ['pms_lockout'])).toEqual([]);
    expect(warnings({ pms_lock_exempt: true }, ['pms_lockout'])).toEqual([]);
  });
});

describe('balance_without_date', () => {
  const facts = { balance_due: 1, paid_through_date: null };

  it('is given when the write named the balance or the date', () => {
    expect(warnings(facts, ['balance_due'])).toEqual(['balance_without_date']);
    expect(warnings(facts, ['paid_through_date'])).toEqual(['balance_without_date']);
    expect(warnings(facts, ['pms_lockout'])).toEqual([]);
  });

  it('is not given where balances count for nothing', () => {
    const policy = { ...POLICY, delinquency_mode: 'pms_flag_only' } as const;
    expect(warnings(facts, ['balance_due'], undefined, NOW, policy)).toEqual([]);
  });

  it('is not given at the threshold, or with a date', () => {
    expect(warnings({ ...facts, balance_due: 0 }, ['balance_due'])).toEqual([]);
    expect(warnings({ balance_due: 1 }, ['balance_due'])).toEqual([]);
  });
});

describe('vacant_unit_owes', () => {
  const facts = { occupied: false, balance_due: 1, paid_through_date: null };

  it('alone is given when the write named the balance of a unit that nobody rents', () => {
    expect(warnings(facts, ['balance_due'])).toEqual(['vacant_unit_owes']);
    expect(warnings(facts, ['pms_lockout', 'paid_through_date'])).toEqual([]);
  });

  it('is not given for a credit, or where somebody rents the unit', () => {
    expect(warnings({ ...facts, balance_due: -1 }, ['balance_due'])).toEqual([]);
    expect(warnings({ balance_due: 1 }, ['balance_due'])).toEqual([]);
  });
});

describe('auction_while_exempt', () => {
  it('is given when the write named the auction or the exemption', () => {
    const facts = { pms_auction: true, pms_lock_exempt: true };
    expect(warnings(facts, ['pms_auction'])).toEqual(['auction_while_exempt']);
    expect(warnings(facts, ['pms_lock_exempt'])).toEqual(['auction_while_exempt']);
    expect(warnings(facts, ['pms_lockout'])).toEqual([]);
  });

  it("is given for an operator's exemption, and not without any", () => {
    const facts = { pms_auction: true };
    expect(warnings(facts, ['pms_auction'], overridden('exempt').override)).toEqual(['auction_while_exempt']);
    expect(warnings(facts, ['pms_auction'])).toEqual([]);
  });
});

it('several warnings come in one order, each with a message', () => {
  const facts = {
    pms_lockout: true,
    pms_lock_exempt: true,
    pms_auction: true,
    balance_due: 1,
    paid_through_date: null,
  };
  const codes = warnings(facts, ['pms_lock_exempt', 'balance_due']);
  expect(codes).toEqual(['lockout_suppressed_by_exemption', 'balance_without_date', 'auction_while_exempt']);
  for (const message of Object.values(WARNING_MESSAGES)) expect(message).toMatch(/^\S.+\.$/);
});
