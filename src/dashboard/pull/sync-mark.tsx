import { Mark, type Tone } from '../parts/states.js';
import { healthOf, type ListedRun } from './run-strip.js';

interface Sync {
  readonly late: boolean;
  readonly last_run_failed: boolean;
  readonly last_run_errors: number;
  /** Rows that the last run read. */
  readonly last_run_total: number;
}

/** `12 of 800 rows rejected`. */
export function rejectedText(rejected: number, total: number, verb = 'rejected'): string {
  const rows = total === 1 ? 'row' : 'rows';
  return `${rejected.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${rows} ${verb}`;
}

/** A mark for each trouble of a source. */
export function SyncTroubles({ of }: { readonly of: Sync }) {
  const { late, last_run_failed, last_run_errors, last_run_total } = of;
  return (
    <>
      {late ? <Mark tone="warn">Overdue</Mark> : null}
      {last_run_failed ? <Mark tone="bad">Last run failed</Mark> : null}
      {last_run_errors > 0 ? <Mark tone="warn">{rejectedText(last_run_errors, last_run_total)}</Mark> : null}
    </>
  );
}

export function hasTroubles({ late, last_run_failed, last_run_errors }: Sync): boolean {
  return late || last_run_failed || last_run_errors > 0;
}

const RUN_TEXTS: Readonly<Record<ListedRun['state'], string>> = {
  queued: 'Waiting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

const RUN_TONES = { fine: 'good', rejected: 'warn', failed: 'bad', open: 'calm' } as const satisfies Record<
  string,
  Tone
>;

/** How a run went. */
export function RunMark({ of: run }: { readonly of: ListedRun }) {
  const health = healthOf(run);
  const text = health === 'rejected' ? rejectedText(run.error_count, run.total) : RUN_TEXTS[run.state];
  return <Mark tone={RUN_TONES[health]}>{text}</Mark>;
}
