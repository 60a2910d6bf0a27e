import type { PullSourcesController } from '../../pull/index.js';

/** A pull source as the operator API lists it. */
export type ListedSource = NonNullable<
  Awaited<ReturnType<PullSourcesController['list']>>['data']
>['pull_sources'][number];

interface Troubles {
  readonly late: boolean;
  readonly last_run_failed: boolean;
}

/** What an operator should look at, in words; undefined where all is well. */
export function troubleText({ late, last_run_failed }: Troubles): string | undefined {
  if (!late) return last_run_failed ? FAILED : undefined;
  return last_run_failed ? `${LATE}, and ${FAILED}` : LATE;
}

const LATE = 'late: it should have been asked by now';
const FAILED = 'its last run failed';

/** The same of a source as it is listed. */
export function troubleOf({ late, last_run_state }: ListedSource): string | undefined {
  return troubleText({ late, last_run_failed: last_run_state === 'failed' });
}

export function sourcePath({ pull_source_id }: Pick<ListedSource, 'pull_source_id'>): string {
  return `/dashboard/pull-sources/${pull_source_id}`;
}
