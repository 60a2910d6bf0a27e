import type { ComponentChild } from 'preact';
import { STAFF_TYPES } from '#api/operator/index.js';
import { Select } from '../parts/choices.js';
import { Field } from '../parts/form.js';
import { Table, Tabs } from '../parts/layout.js';
import { withQuery } from '../links/with-query.js';
import { staffName, eventText } from '../parts/labels.js';
import { Instant } from '../parts/times.js';
import { countText, eventsText } from '../parts/words.js';
import { type AskedDays, dayRanges } from './day-ranges.js';
import { type Change, type LinkedName, Subject } from './change-subject.js';

export type ListedChange = Change & {
  readonly subjects: readonly LinkedName[];
  readonly zone: string;
  /** Of the location, for amounts. */
  readonly currency: string;
};

/** What one request of an operator changed, newest first. A set-up of many units is one action. */
export type Action = readonly [ListedChange, ...ListedChange[]];

interface StaffActionsProps {
  /** Newest first. */
  readonly rows: readonly ListedChange[];
  /** Address of the list. */
  readonly path: string;
  readonly resultOf: (change: ListedChange) => ComponentChild;
}

/** What staff did, an entry for each request. */
export function StaffActions({ rows, path, resultOf }: StaffActionsProps) {
  return (
    <Table
      caption="What staff did"
      head={['When', 'Who', 'What', 'Of', 'Result']}
      rows={actionsOf(rows).map((action) => {
        const [newest] = action;
        return {
          key: newest.id,
          cells: [
            <Instant key="when" at={newest.occurred_at} zone={newest.zone} />,
            <Person key="who" change={newest} path={path} />,
            ...(action.length === 1
              ? [eventText(newest.type), <Subject key="of" of={newest.subjects} />, resultOf(newest)]
              : [countsText(action), <Details key="of" action={action} resultOf={resultOf} />, '']),
          ],
        };
      })}
    />
  );
}

interface StaffFilterProps {
  readonly path: string;
  readonly query: AskedDays & {
    readonly type?: string | undefined;
    readonly operator_id?: string | undefined;
  };
  /** The local date. */
  readonly today: string;
}

const KINDS = STAFF_TYPES.map((type) => [type, eventText(type)] as const).sort(([, one], [, other]) =>
  one.localeCompare(other),
);

/** Chooses days and a kind of action. A link in the list chooses a person. */
export function StaffFilter({ path, query, today }: StaffFilterProps) {
  const { type, operator_id, from_day, to_day } = query;
  // The form sends an empty field for what was not chosen.
  const addressOf = (days: AskedDays) =>
    withQuery(path, {
      actor: 'operator',
      operator_id,
      from_day: days.from_day || undefined,
      to_day: days.to_day || undefined,
      type: type || undefined,
    });
  return (
    <>
      <Tabs
        kind="chips"
        label="Days"
        of={dayRanges(today).map(([text, days]) => [addressOf(days), text])}
        current={addressOf(query)}
      />
      <form class="form line" method="get" action={path} id="form-filter">
        <input type="hidden" name="actor" value="operator" />
        {operator_id === undefined ? null : <input type="hidden" name="operator_id" value={operator_id} />}
        <Field name="from_day" label="From" type="date" value={from_day} />
        <Field name="to_day" label="To" type="date" value={to_day} />
        <Select name="type" label="What" options={[['', 'Anything'], ...KINDS]} value={type ?? ''} />
        <button class="quiet">Filter</button>
        {operator_id === undefined ? null : (
          <p>
            One person only. <a href={withQuery(path, { actor: 'operator' })}>Show all staff</a>
          </p>
        )}
      </form>
    </>
  );
}

function Person({ change: { actor }, path }: { readonly change: ListedChange; readonly path: string }) {
  const query = { actor: 'operator', operator_id: actor.id };
  return <a href={withQuery(path, query)}>{staffName(actor)}</a>;
}

function Details({ action, resultOf }: { readonly action: Action } & Pick<StaffActionsProps, 'resultOf'>) {
  return (
    <>
      <Subject of={subjectsOf(action)} />
      <details>
        <summary>{countText(action.length, 'change')}</summary>
        <ul>
          {action.map((change) => (
            <li key={change.id}>
              {eventText(change.type)}: <Subject of={change.subjects} /> {resultOf(change)}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Things that are named beside the number of changes. */
const MOST_NAMED = 4;

/** What an action was about. Of many things, those that every change has in common. */
export function subjectsOf(action: Action): readonly LinkedName[] {
  const nameOf = ({ text, href }: LinkedName) => href ?? text;
  const all = [
    ...new Map(action.flatMap(({ subjects }) => subjects.map((one) => [nameOf(one), one]))).values(),
  ];
  if (all.length <= MOST_NAMED) return all;
  return all.filter((one) =>
    action.every(({ subjects }) => subjects.some((other) => nameOf(other) === nameOf(one))),
  );
}

/** The changes of one request by one person, also where another request came between. A request's id is the client's word. */
export function actionsOf(rows: readonly ListedChange[]): Action[] {
  const actions = new Map<string, [ListedChange, ...ListedChange[]]>();
  for (const row of rows) {
    const key = JSON.stringify([row.actor.kind, row.actor.id, row.request_id]);
    const known = actions.get(key);
    if (known === undefined) actions.set(key, [row]);
    else known.push(row);
  }
  return [...actions.values()];
}

/** `30 × Unit added to zone, 30 × Lock added` */
function countsText(action: Action): string {
  const counts = new Map<string, number>();
  for (const { type } of action) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([type, count]) => (count === 1 ? eventText(type) : eventsText(type, count)))
    .join(', ');
}
