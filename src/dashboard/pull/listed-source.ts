import type { PullSourcesController } from '../../pull/index.js';

/** A pull source as the operator API lists it. */
export type ListedSource = NonNullable<
  Awaited<ReturnType<PullSourcesController['list']>>['data']
>['pull_sources'][number];

/** What an operator should look at, in words; undefined where all is well. */
export function troubleOf({ late, last_run_state }: ListedSource): string | undefined {
  if (late) return 'late: it should have been asked by now';
  return last_run_state === 'failed' ? 'its last run failed' : undefined;
}

export function sourcePath({ pull_source_id }: Pick<ListedSource, 'pull_source_id'>): string {
  return `/dashboard/pull-sources/${pull_source_id}`;
}
