import { errorOf } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';

/** Only operators of all companies: the log holds the events of every company. */
export function seesWholeLog({ companies }: OperatorPrincipal): boolean {
  return companies === null;
}

/** @throws ApiError 403 */
export function assertSeesWholeLog(principal: OperatorPrincipal): void {
  if (!seesWholeLog(principal)) throw errorOf('forbidden');
}
