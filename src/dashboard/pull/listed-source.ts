import type { ResultOf } from '#kernel/result-of.js';
import type { PullSourceAdministration } from '#pull/index.js';

/** A pull source as the operator API lists it. */
export type ListedSource = ResultOf<PullSourceAdministration['listSources']>[number];

/** A source with its last run, as Today shows it. */
export function syncOf(source: ListedSource) {
  return { ...source, last_run_failed: source.last_run_state === 'failed' };
}
