import type { Examination } from '../../operator/index.js';
import { Empty } from '../parts/layout.js';
import { Instant } from '../parts/times.js';

/** What the examination that was begun last has found, or how far it is. */
export function ExaminationView({ of }: { readonly of: Examination | undefined }) {
  if (of === undefined) return <Empty>Nothing was examined since this process of the service began.</Empty>;
  if (of.ended_at === null) return <UnderWay of={of} />;
  const ended = <Instant at={new Date(of.ended_at).toISOString()} />;
  if (of.failure !== null)
    return (
      <p class="refusal" role="status">
        It came to no end ({ended}): {of.failure}
      </p>
    );
  if (of.faults.length > 0) return <Faults of={of} />;
  return (
    <>
      <p class="said" role="status" id="examined">
        {of.kind === 'verification' ? 'All fits' : 'Signed'}: {of.events} events in {of.streams} streams (
        {ended}).
        {of.reach === null ? null : (
          <>
            {' '}
            Checkpoints reach up to {of.reach.events} events, signed <Instant at={of.reach.at} />.
          </>
        )}
      </p>
      {of.checkpoint === null ? null : <code class="secret">{JSON.stringify(of.checkpoint)}</code>}
    </>
  );
}

function UnderWay({ of: { kind, share, events } }: { readonly of: Examination }) {
  const what = kind === 'verification' ? 'Verifying' : 'Signing';
  return (
    <p
      role="status"
      hx-get="/dashboard/audit"
      hx-trigger="load delay:1s"
      hx-select="#main"
      hx-target="#main"
      hx-swap="outerHTML"
    >
      {what}: {Math.floor(share * 100)} % of the log, {events} events so far.{' '}
      <a href="/dashboard/audit">Look again</a>
    </p>
  );
}

function Faults({ of: { kind, faults } }: { readonly of: Examination }) {
  return (
    <div class="refusal" role="alert">
      <p>
        <strong>{kind === 'verification' ? 'The log is not what was written' : 'Nothing was signed'}:</strong>
      </p>
      {faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </div>
  );
}
