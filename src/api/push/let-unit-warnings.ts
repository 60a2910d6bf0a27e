import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { KeyIssues } from '#domain/locks/index.js';
import { isLet, type UnitOutcome, WARNING_MESSAGES } from '#domain/units/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { WriteWarning } from './unit-write.schemas.js';

type Done = UnitOutcome & { readonly kind: 'done' };

/** What {@link LetUnitWarnings} says of each outcome of a bulk. */
export type WarningsByOutcome = ReadonlyMap<UnitOutcome, readonly WriteWarning[]>;

/** Warns of a pass whose key still opens a unit that was let meanwhile (decisions §13). */
@Injectable()
export class LetUnitWarnings {
  constructor(
    private readonly keys: KeyIssues,
    private readonly clocks: CompanyClocks,
  ) {}

  /** Empty unless the write has let the unit. @throws StoreUnavailableError */
  async ofWrite({ before, after }: Done): Promise<WriteWarning[]> {
    // Nobody had a key to a unit that there was not.
    if (before === undefined || after === undefined) return [];
    if (isLet(before.state.facts) || !isLet(after.state.facts)) return [];
    const { unit_id, company_id } = after.state;
    const keys = await this.keys.outstandingForUnit(unit_id, await this.clocks.now(company_id));
    return keysStillValid(keys.filter(({ pass_id }) => pass_id !== undefined));
  }

  /** @throws StoreUnavailableError */
  async ofWrites(outcomes: readonly UnitOutcome[]): Promise<WarningsByOutcome> {
    const warned = outcomes.map(async (outcome) => {
      const warnings = outcome.kind === 'done' ? await this.ofWrite(outcome) : [];
      return [outcome, warnings] as const;
    });
    return new Map(await Promise.all(warned));
  }
}

/** @param keys with their ends (milliseconds) */
export function keysStillValid(keys: readonly { readonly expires_at: number }[]): WriteWarning[] {
  if (keys.length === 0) return [];
  const last = Math.max(...keys.map(({ expires_at }) => expires_at));
  const code = 'keys_still_valid';
  return [{ code, message: `${WARNING_MESSAGES[code]} The last key ends at ${toTimestamp(last)}.` }];
}
