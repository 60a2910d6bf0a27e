import type { ResultOf } from '#kernel/result-of.js';
import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import type { OperatorAccounts } from '#api/operator/index.js';
import type { Offered } from './operator-scope.js';

export type Operator = ResultOf<OperatorAccounts['listOperators']>[number];

/** What the list needs beside its rows. */
export interface Shown {
  readonly offered: Offered;
  readonly sign_on: SignOnSettings | undefined;
  /** The operator who looks. */
  readonly own_id: string;
  readonly zone: string;
  /** Milliseconds. */
  readonly now: number;
}

/** Whether somebody was asked in and has not come yet. */
export function isInvited({ password, sign_on }: Operator): boolean {
  return password === 'missing' && sign_on === null;
}
