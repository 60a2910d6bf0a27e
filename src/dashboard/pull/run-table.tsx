import type { Column } from '../parts/list-page.js';
import { rejectionText } from '../parts/labels.js';
import { Instant } from '../parts/times.js';
import { countText } from '../parts/words.js';
import type { ListedRun } from './run-strip.js';
import { RunMark } from './sync-mark.js';

/**
 * Columns of the runs of a source. The file counts errors and leaves out their texts.
 * @param newest_id the run that shows its first rejected rows without a click
 */
export function runColumns(zone: string, newest_id: string | null): readonly Column<ListedRun>[] {
  return [
    { name: 'run_id' },
    { name: 'state' },
    {
      title: 'Requested',
      name: 'requested_at',
      cell: ({ requested_at }) => <Instant at={requested_at} zone={zone} />,
    },
    { title: 'Result', cell: (run) => <RunMark of={run} /> },
    { title: 'Units', cell: unitCountsText },
    { name: 'started_at' },
    { name: 'finished_at' },
    { title: 'Took', name: 'duration_ms', fit: 'wide off', cell: ({ duration_ms }) => tookText(duration_ms) },
    { name: 'total' },
    { name: 'created' },
    { name: 'updated' },
    { name: 'unchanged' },
    { name: 'error_count' },
    { name: 'failure', value: ({ failure }) => failure?.message },
    { title: 'Errors', cell: (run) => <RunErrors of={run} isNewest={run.run_id === newest_id} /> },
  ];
}

function tookText(milliseconds: number | null): string {
  return milliseconds === null ? '' : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function unitCountsText({ total, created, updated, unchanged, pages_not_modified }: ListedRun): string {
  const counts = `${total} read: ${created} new, ${updated} changed, ${unchanged} unchanged`;
  if (pages_not_modified === 0) return counts;
  return `${counts}; ${countText(pages_not_modified, 'page')} unchanged, not read again`;
}

/** Rejected rows that the newest run shows without a click. */
const UNFOLDED_ROWS = 3;

function RunErrors({ of, isNewest }: { readonly of: ListedRun; readonly isNewest: boolean }) {
  const { failure, errors, error_count } = of;
  if (failure === null && error_count === 0) return <>None</>;
  const unfolded = isNewest ? errors.slice(0, UNFOLDED_ROWS) : [];
  const folded = errors.slice(unfolded.length);
  const notKept = error_count - errors.length;
  return (
    <>
      {failure === null ? null : <p class="error">{failure.message}</p>}
      <RejectedRows of={unfolded} />
      {folded.length === 0 ? null : (
        <details>
          <summary>{unfolded.length > 0 ? 'See more' : `${countText(error_count, 'row')} rejected`}</summary>
          <RejectedRows of={folded} />
          {notKept > 0 ? (
            <p class="hint">
              And {notKept} more. A run keeps the first 5 rows of a page. The connection test lists the first
              100.
            </p>
          ) : null}
        </details>
      )}
    </>
  );
}

function RejectedRows({ of }: { readonly of: ListedRun['errors'] }) {
  if (of.length === 0) return null;
  return (
    <ul>
      {of.map(({ crm_unit_id, error }) => (
        <li key={`${crm_unit_id} ${error}`}>
          {crm_unit_id === '' ? '' : `${crm_unit_id}: `}
          {rejectionText(error)}
        </li>
      ))}
    </ul>
  );
}
