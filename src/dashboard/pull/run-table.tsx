import type { Column } from '../parts/list-page.js';
import { rejectionText } from '../parts/labels.js';
import { Instant } from '../parts/times.js';
import { countText } from '../parts/words.js';
import type { ListedRun } from './run-strip.js';
import { RunMark } from './sync-mark.js';

/** Columns of the runs of a source. The file counts errors and leaves out their texts. */
export function runColumns(zone: string): readonly Column<ListedRun>[] {
  return [
    { name: 'run_id' },
    { name: 'state' },
    {
      title: 'Requested',
      name: 'requested_at',
      cell: ({ requested_at }) => <Instant at={requested_at} zone={zone} />,
    },
    { title: 'Result', cell: (run) => <RunMark of={run} /> },
    { title: 'Units', cell: countsText },
    { name: 'started_at' },
    { name: 'finished_at' },
    { title: 'Took', name: 'duration_ms', cell: ({ duration_ms }) => tookText(duration_ms) },
    { name: 'total' },
    { name: 'created' },
    { name: 'updated' },
    { name: 'unchanged' },
    { name: 'error_count' },
    { name: 'failure', value: ({ failure }) => failure?.message },
    { title: 'Errors', cell: (run) => <Errors of={run} /> },
  ];
}

function tookText(milliseconds: number | null): string {
  return milliseconds === null ? '' : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function countsText({ total, created, updated, unchanged, pages_not_modified }: ListedRun): string {
  const same =
    pages_not_modified === 0 ? '' : `; ${countText(pages_not_modified, 'page')} unchanged, not read again`;
  return `${total} read: ${created} new, ${updated} changed, ${unchanged} unchanged${same}`;
}

function Errors({ of: { failure, errors, error_count } }: { readonly of: ListedRun }) {
  if (failure === null && error_count === 0) return <>None</>;
  const rest = error_count - errors.length;
  return (
    <>
      {failure === null ? null : <p class="error">{failure.message}</p>}
      {error_count === 0 ? null : (
        <details>
          <summary>{countText(error_count, 'row')} rejected</summary>
          <ul>
            {errors.map(({ crm_unit_id, error }) => (
              <li key={`${crm_unit_id} ${error}`}>
                {crm_unit_id}: {rejectionText(error)}
              </li>
            ))}
          </ul>
          {rest > 0 ? (
            <p class="hint">
              And {rest} more. A run keeps the first 5 rows of a page. The connection test below lists the
              first 100.
            </p>
          ) : null}
        </details>
      )}
    </>
  );
}
