import type { EntryPointHistoryReads } from '#api/history/index.js';
import { gatePath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { Field, Form } from '../parts/form.js';
import { staffName, eventText } from '../parts/labels.js';
import { Empty, NextPage, Section } from '../parts/layout.js';
import { withQuery } from '../links/with-query.js';
import { Instant } from '../parts/times.js';
import { instantText, localText, zoneText } from '../parts/words.js';
import { PeopleTable } from './gate-people.js';

type Then = Awaited<ReturnType<EntryPointHistoryReads['readAsOf']>>;
type History = Awaited<ReturnType<EntryPointHistoryReads['list']>>;

/** The tab's address. */
export function pastPath(entry_point_id: string): string {
  return `${gatePath(entry_point_id)}/as-of`;
}

interface GatePastProps {
  readonly entry_point_id: string;
  readonly zone: string;
  /** Milliseconds, to begin the field with. */
  readonly at: number;
  /** Undefined: nothing was asked for. */
  readonly then: Then | undefined;
  /** Whether the list of people has no other page. */
  readonly isWhole: boolean;
  readonly history: History;
  readonly refused: Refused | undefined;
}

/** Who could open a gate at an instant, and what was changed on it. */
export function GatePast({ entry_point_id, zone, at, then, isWhole, history, refused }: GatePastProps) {
  const path = pastPath(entry_point_id);
  return (
    <>
      <Section title="Who could open it">
        <Form name="as-of" action={path} method="get" submit="Show" tone="quiet" refused={refused}>
          <Field
            name="on"
            label={`On (${zoneText(zone)})`}
            type="datetime-local"
            value={localText(at, zone)}
            required
          />
        </Form>
        {then === undefined ? null : <PeopleThen {...{ then, isWhole, zone, path }} />}
      </Section>
      <Section title="What was changed">
        <Changes {...{ history, zone }} />
        <NextPage path={path} cursor={history.next_cursor} of="changes" />
      </Section>
    </>
  );
}

interface PeopleThenProps {
  readonly then: Then;
  readonly isWhole: boolean;
  readonly zone: string;
  readonly path: string;
}

function PeopleThen({ then, isWhole, zone, path }: PeopleThenProps) {
  const { at, name, in_service, people, next_cursor } = then;
  return (
    <>
      <p class="sentence">
        {name} on <Instant at={at} zone={zone} />: {in_service ? 'in service' : 'out of service'}.
      </p>
      <PeopleTable
        {...{ people, zone }}
        now={Date.parse(at)}
        caption={`Who could open it on ${instantText(at, zone)}`}
        when="then"
        isWhole={isWhole}
      />
      <NextPage path={withQuery(path, { at })} cursor={next_cursor} />
      <p class="hint">Names are those of now. Older ones are not kept.</p>
    </>
  );
}

function Changes({ history: { entries }, zone }: Pick<GatePastProps, 'history' | 'zone'>) {
  if (entries.length === 0) return <Empty>No change on this page.</Empty>;
  return (
    <ol class="entries">
      {entries.map(({ revision, type, occurred_at, actor, pass_id }) => (
        <li key={`${revision}-${pass_id}-${type}-${occurred_at}`}>
          <p>
            <strong>{eventText(type)}</strong> by {staffName(actor)}, <Instant at={occurred_at} zone={zone} />
          </p>
        </li>
      ))}
    </ol>
  );
}
