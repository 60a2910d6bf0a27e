import type { Refused } from '../page/page.js';
import { Danger, Form } from '../parts/form.js';
import { Facts, Section } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { durationText } from '../parts/words.js';
import { type ListedSource, syncOf } from './listed-source.js';
import { sourcePath } from '../links/paths.js';
import { SyncTroubles } from './sync-mark.js';

interface SourceStateProps {
  readonly of: ListedSource;
  readonly mayChange: boolean;
  readonly zone: string;
  readonly refused: Refused | undefined;
  /** The operator has just started a run, which has not ended. */
  readonly isStarted: boolean;
}

/** The state of a pull source, and what can be done about it at once. */
export function SourceState({ of: source, mayChange, zone, refused, isStarted }: SourceStateProps) {
  const every = durationText(source.interval_seconds).replace(/^1 (\w+)$/, '$1');
  return (
    <Section title="Source">
      <div id="source-state">
        {isStarted ? (
          <p class="said" role="status">
            Sync started.
          </p>
        ) : null}
        <p>
          <SyncTroubles of={syncOf(source)} />
        </p>
        <Facts
          of={[
            ['Address', source.url],
            ['Authorization', source.has_auth_header ? 'Sent, hidden here' : 'None'],
            ['Schedule', source.enabled ? `Syncs every ${every}` : 'Off'],
            ['Next run', <Instant at={source.next_run_at} zone={zone} none={unplanned(source)} />],
            ['Since', <Instant at={source.created_at} zone={zone} />],
          ]}
        />
      </div>
      {mayChange ? <Acts source={source} refused={refused} /> : null}
    </Section>
  );
}

function unplanned({ running }: ListedSource): string {
  return running ? 'Running now' : 'None';
}

function Acts({ source, refused }: { readonly source: ListedSource; readonly refused: Refused | undefined }) {
  const path = sourcePath(source);
  return (
    <>
      <div class="acts">
        <Form name="run" action={`${path}/runs`} submit="Run it now" refused={refused} />
        <a href="#set-up">Set-up and connection test</a>
      </div>
      {source.enabled ? (
        <Danger summary="Turn off">
          <p>
            Scheduled runs stop. Units no longer follow the PMS until you turn it on again or run it by hand.
            Units, runs and history stay.
          </p>
          <Switch to={false} path={path} submit="Turn off" />
        </Danger>
      ) : (
        <Switch to path={path} submit="Turn on" />
      )}
    </>
  );
}

function Switch({
  to,
  path,
  submit,
}: {
  readonly to: boolean;
  readonly path: string;
  readonly submit: string;
}) {
  return (
    <Form name="enabled" action={path} submit={submit} tone={to ? 'usual' : 'danger'}>
      <input type="hidden" name="enabled" value={String(to)} />
    </Form>
  );
}
