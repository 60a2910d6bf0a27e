import type { DataOf } from '../../http/index.js';
import type { PullSourcesController } from '../../pull/index.js';
import { Empty, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { countText } from '../parts/words.js';

type Runs = DataOf<PullSourcesController['listRuns']>;
type Run = Runs['runs'][number];

/** The runs of a source, newest first, each with what went wrong. */
export function RunTable({ of, zone }: { readonly of: readonly Run[]; readonly zone: string }) {
  if (of.length === 0) return <Empty>No run yet. “Run it now” asks the source at once.</Empty>;
  const rows = of.map((run) => ({
    key: run.run_id,
    cells: [
      <Instant at={run.requested_at} zone={zone} />,
      run.state,
      countsText(run),
      run.duration_ms === null ? '' : `${(run.duration_ms / 1_000).toFixed(1)} s`,
      <Errors of={run} />,
    ],
  }));
  return (
    <Table
      caption="Runs, newest first"
      head={['Asked for', 'State', 'Units', 'Took', 'What went wrong']}
      rows={rows}
    />
  );
}

function countsText({ total, created, updated, unchanged, pages_not_modified }: Run): string {
  const same =
    pages_not_modified === 0 ? '' : `; ${countText(pages_not_modified, 'page')} as it was, not read again`;
  return `${total} read: ${created} new, ${updated} changed, ${unchanged} as they were${same}`;
}

function Errors({ of: { failure, errors, error_count } }: { readonly of: Run }) {
  if (failure === null && error_count === 0) return <>nothing</>;
  const rest = error_count - errors.length;
  return (
    <>
      {failure === null ? null : <p class="error">{failure.message}</p>}
      {error_count === 0 ? null : (
        <details>
          <summary>{countText(error_count, 'unit')} not applied</summary>
          <ul>
            {errors.map(({ crm_unit_id, error }) => (
              <li key={`${crm_unit_id} ${error}`}>
                {crm_unit_id}: {error}
              </li>
            ))}
          </ul>
          {rest > 0 ? <p class="hint">And {rest} more.</p> : null}
        </details>
      )}
    </>
  );
}

export const RUN_COLUMNS = [
  ...(['run_id', 'state', 'requested_at', 'started_at', 'finished_at', 'duration_ms'] as const),
  ...(['total', 'created', 'updated', 'unchanged', 'error_count', 'failure'] as const),
];

/** The same as rows of a file; of what went wrong in units the number alone. */
export function runRows({ runs }: Runs) {
  return runs.map((run) => ({ ...run, failure: run.failure?.message }));
}
