import type { PullSourcesController } from '../../pull/index.js';

/** A pull source as the operator API lists it. */
export type ListedSource = NonNullable<
  Awaited<ReturnType<PullSourcesController['list']>>['data']
>['pull_sources'][number];

/** A source with its last run, as Today shows it. */
export function syncOf(source: ListedSource) {
  return { ...source, last_run_failed: source.last_run_state === 'failed' };
}

export function sourcePath({ pull_source_id }: Pick<ListedSource, 'pull_source_id'>): string {
  return `/dashboard/pull-sources/${pull_source_id}`;
}
