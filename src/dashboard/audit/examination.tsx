import type { Examination } from '#api/operator/index.js';
import { CopyButton } from '../parts/copy-button.js';
import { Empty } from '../parts/layout.js';
import { Instant } from '../parts/times.js';

interface ExaminationProps {
  /** The last one begun in this process. */
  readonly of: Examination | undefined;
  readonly kind: Examination['kind'];
}

const NOTHING_YET: Readonly<Record<Examination['kind'], string | null>> = {
  verification: 'Nothing was verified since the last start or the last checkpoint.',
  checkpoint: null,
};

/** The result or progress of the last examination, if it is of this kind. */
export function ExaminationView({ of, kind }: ExaminationProps) {
  if (of?.kind !== kind) return NOTHING_YET[kind] === null ? null : <Empty>{NOTHING_YET[kind]}</Empty>;
  if (of.ended_at === null) return <UnderWay of={of} />;
  const ended = <Instant at={new Date(of.ended_at).toISOString()} precision="second" />;
  if (of.failure !== null)
    return (
      <p class="refusal" role="status">
        It stopped before the end ({ended}): {of.failure}
      </p>
    );
  if (of.faults.length > 0) return <Faults of={of} />;
  return (
    <>
      <p class="said" role="status" id="examined">
        {kind === 'verification' ? 'Verified: nothing altered. The log has' : 'Signed:'} {of.events} events in{' '}
        {of.streams} streams ({ended}
        ).
        {of.reach === null ? null : (
          <>
            {' '}
            Checkpoints reach up to {of.reach.events} events, signed{' '}
            <Instant at={of.reach.at} precision="second" />.
          </>
        )}
      </p>
      {of.checkpoint === null ? null : (
        <>
          <p class="hint">Keep it where nobody who can write the log can reach it: this line, as it is.</p>
          <code class="secret" id="checkpoint">
            {JSON.stringify(of.checkpoint)}
          </code>
          <CopyButton of="checkpoint" />
        </>
      )}
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
      {what}: {Math.floor(share * 100)} % of the log, {events} events so far. It runs in the background.{' '}
      <a href="/dashboard/audit">Reload</a>
    </p>
  );
}

function Faults({ of: { kind, faults } }: { readonly of: Examination }) {
  return (
    <div class="refusal" role="alert">
      <p>
        <strong>{kind === 'verification' ? 'The log was altered' : 'Nothing was signed'}:</strong>
      </p>
      {faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </div>
  );
}
