import type { LocationPolicy } from '../../locations/index.js';
import type { AccessOverride, FactName, UnitFacts } from '../../units/index.js';
import { overrideInForce } from './subject.js';

/** Warnings about what a write's facts will, or will not, do to access. */
export type WarningCode = 'lockout_suppressed_by_exemption' | 'balance_without_date' | 'auction_while_exempt';

/** For integrators: what happened, and what to send for another outcome. */
export const WARNING_MESSAGES: Readonly<Record<WarningCode, string>> = {
  lockout_suppressed_by_exemption:
    'The lockout has no effect while the unit is exempt. Set pms_lock_exempt to false, or have the operator end the exemption, for it to count.',
  balance_without_date:
    'The balance is never past due without a paid_through_date. Send paid_through_date for the grace period to count from it.',
  auction_while_exempt:
    'The unit is in auction, which denies access in spite of its exemption. Set pms_auction to false to permit access.',
};

/**
 * The warnings that stand after a write and that it gave cause for: a warning is only given where the write named one
 * of the facts it is about, not again at every later write.
 * @param facts as they stand after the write.
 * @param touched the facts that the write named, changed or not.
 */
export function standingWarnings(
  facts: UnitFacts,
  override: AccessOverride | null,
  policy: LocationPolicy,
  now: number,
  touched: ReadonlySet<FactName>,
): WarningCode[] {
  const exempt = facts.pms_lock_exempt || overrideInForce(override, now) === 'exempt';
  const named = (...names: readonly FactName[]) => names.some((name) => touched.has(name));
  const warnings: WarningCode[] = [];
  if (facts.pms_lockout && exempt && named('pms_lockout', 'pms_lock_exempt')) {
    warnings.push('lockout_suppressed_by_exemption');
  }
  if (balanceWithoutDate(facts, policy) && named('balance_due', 'paid_through_date')) {
    warnings.push('balance_without_date');
  }
  if (facts.pms_auction && exempt && named('pms_auction', 'pms_lock_exempt')) {
    warnings.push('auction_while_exempt');
  }
  return warnings;
}

function balanceWithoutDate(facts: UnitFacts, policy: LocationPolicy): boolean {
  if (policy.delinquency_mode !== 'automatic') return false;
  return facts.balance_due > policy.balance_threshold && facts.paid_through_date === null;
}
