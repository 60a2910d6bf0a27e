import type { Refused } from '../frame/page.js';
import { Danger, Form } from '../parts/form.js';
import { Facts, Section } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { type ListedSource, sourcePath, troubleOf } from './listed-source.js';

interface SourceStateProps {
  readonly of: ListedSource;
  readonly mayChange: boolean;
  readonly zone: string;
  readonly refused: Refused | undefined;
}

/** How a pull source stands, and what can be done about it at once. */
export function SourceState({ of: source, mayChange, zone, refused }: SourceStateProps) {
  const trouble = troubleOf(source);
  return (
    <Section title="The source">
      {trouble === undefined ? null : <p class="warning">It is in trouble: {trouble}.</p>}
      <Facts
        of={[
          ['Address', source.url],
          ['Authorization', source.has_auth_header ? 'sent, and shown to nobody' : 'none'],
          ['Asked by itself', source.enabled ? `every ${source.interval_seconds} seconds` : 'no'],
          ['Next run', <Instant at={source.next_run_at} zone={zone} otherwise={unplanned(source)} />],
          ['Since', <Instant at={source.created_at} zone={zone} />],
        ]}
      />
      {mayChange ? <Acts source={source} refused={refused} /> : null}
    </Section>
  );
}

function unplanned({ running }: ListedSource): string {
  return running ? 'it is running now' : 'none';
}

function Acts({ source, refused }: { readonly source: ListedSource; readonly refused: Refused | undefined }) {
  const path = sourcePath(source);
  return (
    <>
      <Form name="run" action={`${path}/runs`} submit="Run it now" refused={refused} />
      {source.enabled ? (
        <Danger summary="Switch it off">
          <p>
            It is not asked by itself any more: what the PMS writes down reaches no unit until it is switched
            on again, or run by hand. Units, runs and history stay.
          </p>
          <Switch to={false} path={path} submit="Switch it off" />
        </Danger>
      ) : (
        <Switch to path={path} submit="Switch it on" />
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
