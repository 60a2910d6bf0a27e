import type { Refused } from '../page/page.js';
import { DrawerButton } from '../parts/drawer.js';
import { Danger, Form } from '../parts/form.js';
import { Facts } from '../parts/layout.js';
import { MoreMenu } from '../parts/more-menu.js';
import { Instant } from '../parts/times.js';
import { durationText } from '../parts/words.js';
import { type ListedSource, syncOf } from './listed-source.js';
import { sourcePath } from '../links/paths.js';
import { hasTroubles, SyncTroubles } from './sync-mark.js';

interface SourceStateProps {
  readonly of: ListedSource;
  readonly zone: string;
  /** The operator has just started a run, which has not ended. */
  readonly isStarted: boolean;
}

/** The state of a pull source. */
export function SourceState({ of: source, zone, isStarted }: SourceStateProps) {
  const every = durationText(source.interval_seconds).replace(/^1 (\w+)$/, '$1');
  return (
    <section class="card" aria-label="Source">
      <div id="source-state">
        {isStarted ? (
          <p class="said" role="status">
            Sync started.
          </p>
        ) : null}
        <Facts
          of={[
            ...(hasTroubles(syncOf(source))
              ? [['State', <SyncTroubles key="state" of={syncOf(source)} />] as const]
              : []),
            ['Address', source.url],
            ['Authorization', source.has_auth_header ? 'Sent, hidden here' : 'None'],
            ['Schedule', source.enabled ? `Syncs every ${every}` : 'Off'],
            ['Next run', <Instant at={source.next_run_at} zone={zone} none={unplanned(source)} />],
            ['Since', <Instant at={source.created_at} zone={zone} precision="day" />],
          ]}
        />
      </div>
    </section>
  );
}

function unplanned({ running }: ListedSource): string {
  return running ? 'Running now' : 'None';
}

interface SourceActsProps {
  readonly source: ListedSource;
  readonly refused: Refused | undefined;
}

/** What can be done with a source at once, beside its name. */
export function SourceActs({ source, refused }: SourceActsProps) {
  const path = sourcePath(source);
  return (
    <>
      {source.enabled ? null : <Switch to path={path} submit="Turn on" />}
      <DrawerButton form="source" icon="settings" tone="usual">
        Settings and test
      </DrawerButton>
      <Form name="run" action={`${path}/runs`} submit="Run it now" refused={refused} />
      {source.enabled ? (
        <MoreMenu id="source" of={source.name}>
          <Danger summary="Turn off…">
            <p class="small">
              Scheduled runs stop. Units no longer follow the PMS until you turn it on again or run it by
              hand. Units, runs and history stay.
            </p>
            <Switch to={false} path={path} submit="Turn off" />
          </Danger>
        </MoreMenu>
      ) : null}
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
    <Form name="enabled" action={path} submit={submit} tone={to ? 'quiet' : 'danger'}>
      <input type="hidden" name="enabled" value={String(to)} />
    </Form>
  );
}
