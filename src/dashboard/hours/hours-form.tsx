import type { TenantOutsideHours } from '#domain/history/index.js';
import {
  type AccessHours,
  DEFAULT_EXIT_GRACE_MINUTES,
  type Weekday,
  WEEKDAYS,
} from '#domain/locations/index.js';
import type { Refused } from '../page/page.js';
import type { NamesById } from '../names/thing-names.js';
import { choosing, described, Initial, Notes, useField } from '../parts/form-field.js';
import { Field, Form, Kept } from '../parts/form.js';
import { Section, Table } from '../parts/layout.js';
import { countText } from '../parts/words.js';
import { Instant } from '../parts/times.js';
import { TenantLink } from '../parts/tenant-links.js';
import { fieldsOfDay, FOR_GATE, SEEN, seenText, USUAL_WINDOW, weekField } from './hours-form-values.js';
import { DayBar, type PicturedDay } from './hours-picture.js';
import { DAY_NAMES } from './hours-texts.js';

interface WeekFormProps {
  readonly path: string;
  /** Null: always open. */
  readonly hours: AccessHours | null;
  /** Of the hours; null: they were never set. */
  readonly revision: number | null;
  readonly refused: Refused | undefined;
  /** Names the hours of a preview, which the form saves unless they are edited once more. */
  readonly previewed: string | undefined;
  /** On the page of a gate, where each day has its bar. */
  readonly gate?: { readonly entry_point_id: string; readonly week: readonly PicturedDay[] };
}

/** The hours of a week, day by day. */
export function WeekForm({ path, hours, revision, refused, previewed, gate }: WeekFormProps) {
  return (
    <Form
      name="hours"
      action={path}
      submit={previewed === undefined ? 'Save hours' : 'Save these hours'}
      refused={refused}
      withInitial
    >
      <Kept name={SEEN} value={seenText(revision)} />
      {previewed === undefined ? null : <input type="hidden" name="previewed" value={previewed} />}
      {gate === undefined ? null : <input type="hidden" name={FOR_GATE} value={gate.entry_point_id} />}
      <p class="hint">A closing time that is not after the opening is on the next day: 7 PM to 7 AM.</p>
      <table class="week">
        <caption class="unseen">Hours by day of the week</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Access</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            {gate === undefined ? null : <th scope="col">12 AM to 12 AM</th>}
            <th scope="col">
              <span class="unseen">Copy</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((day, index) => (
            <DayRow
              key={day}
              name={weekField(day)}
              label={DAY_NAMES[day]}
              day={day}
              hours={hours}
              bar={gate?.week[index]}
            />
          ))}
        </tbody>
      </table>
      <Field
        name="exit_grace_minutes"
        label="Minutes to leave after closing"
        type="number"
        value={hours?.exit_grace_minutes ?? DEFAULT_EXIT_GRACE_MINUTES}
        min={0}
        max={30}
        required
        hint="Until then a gate still opens, for those who are inside. It must open from inside by itself."
      />
    </Form>
  );
}

/** What a day may be. */
const KINDS = [
  ['hours', 'Hours'],
  ['always', 'Always'],
  ['closed', 'Closed'],
] as const;

/** The id of the option “Hours”, which times choose as they are typed. @param id of the select */
export function idOfHoursOption(id: string): string {
  return `${id}-hours`;
}

/** The options of a select with this id. */
export function KindOptions({ chosen, id }: { readonly chosen: string; readonly id: string }) {
  return (
    <>
      {KINDS.map(([value, text]) => (
        <option
          key={value}
          value={value}
          selected={value === chosen}
          id={value === 'hours' ? idOfHoursOption(id) : undefined}
        >
          {text}
        </option>
      ))}
    </>
  );
}

interface DayRowProps {
  /** The field that a refusal names, with its label: it leads to the row. */
  readonly name: string;
  readonly label: string;
  readonly day: Weekday;
  readonly hours: AccessHours | null;
  readonly bar: PicturedDay | undefined;
}

function DayRow({ name: field, label: name, day, hours, bar }: DayRowProps) {
  const current = hours?.week[day] ?? 'always';
  const window = typeof current === 'string' ? USUAL_WINDOW : current;
  const fields = fieldsOfDay(day);
  const kind = useField(fields.kind);
  const opens = useField(fields.open);
  const closes = useField(fields.close);
  const weekday = useField(field);
  const chosen = kind.typed ?? (typeof current === 'string' ? current : 'hours');
  const isMissing = [opens, closes].some(({ typed }) => typed === '');
  const errorOf = ({ typed }: Typed) => (isMissing && typed !== '' ? undefined : weekday.error);
  const times = { fault: weekday.id, kind: kind.id };
  return (
    <>
      <tr data-day={day} id={weekday.id} tabIndex={-1}>
        <th scope="row">{name}</th>
        <td data-label="Access">
          <Initial name={fields.kind} value={typeof current === 'string' ? current : 'hours'} />
          <select name={fields.kind} id={kind.id} aria-label={`${name}, access`}>
            <KindOptions chosen={chosen} id={kind.id} />
          </select>
        </td>
        <td data-label="From">
          <TimeField
            {...{ name: fields.open, value: window.open, label: `${name}, opens`, ...times }}
            error={errorOf(opens)}
          />
        </td>
        <td data-label="To">
          <TimeField
            {...{ name: fields.close, value: window.close, label: `${name}, closes`, ...times }}
            error={errorOf(closes)}
          />
        </td>
        {bar === undefined ? null : (
          <td>
            <div class="hours-days day-bar">
              <DayBar of={bar} />
            </div>
          </td>
        )}
        <td>
          <button type="button" class="quiet" data-copies-day={day} hidden>
            Copy to all<span class="unseen"> days: {name}</span>
          </button>
        </td>
      </tr>
      {weekday.error === undefined ? null : (
        <tr>
          <td class="week-fault" colSpan={5}>
            <Notes id={weekday.id} hint={undefined} error={weekday.error} />
          </td>
        </tr>
      )}
    </>
  );
}

type Typed = Pick<ReturnType<typeof useField>, 'typed'>;

interface TimeFieldProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  /** The id of the day's row, below which its fault stands. */
  readonly fault: string;
  /** Undefined also where only the other time is missing. */
  readonly error: string | undefined;
  /** The id of the select of the day. */
  readonly kind: string;
}

function TimeField({ name, value, label, fault, error, kind }: TimeFieldProps) {
  const { id, typed } = useField(name);
  return (
    <>
      <Initial name={name} value={value} />
      <input
        {...{ id, name }}
        type="time"
        value={typed ?? value}
        aria-label={label}
        {...choosing(idOfHoursOption(kind), value)}
        {...described(fault, undefined, error)}
      />
    </>
  );
}

interface OutsideProps {
  readonly path: string;
  readonly taps: readonly TenantOutsideHours[];
  readonly tenants: NamesById;
  readonly zone: string;
}

const LISTED = 50;

/** The tenants who would have found a gate closed by the hours in the form below, which are not saved yet. */
export function OutsidePreview({ path, taps, tenants, zone }: OutsideProps) {
  return (
    <Section title="Not saved yet: tenants who came outside of these hours">
      <p class="warning" role="status" tabIndex={-1} autofocus>
        Not saved yet. In the last 14 days {countText(taps.length, 'tenant')} opened a gate when it would have
        been closed.
      </p>
      <Table
        caption="Tenants outside of the new hours"
        head={['Tenant', 'Openings', 'Last']}
        rows={taps.slice(0, LISTED).map(({ tenant_id, taps: count, last_at }) => ({
          key: tenant_id,
          cells: [
            <TenantLink
              key={tenant_id}
              tenant={{ tenant_id, pms_tenant_id: tenant_id, name: tenants.get(tenant_id) ?? null }}
            />,
            count,
            <Instant key="last" at={last_at} zone={zone} />,
          ],
        }))}
      />
      {taps.length > LISTED ? <p>And {taps.length - LISTED} more.</p> : null}
      <p>
        Save the hours below if they shall hold anyway, change them, or <a href={path}>cancel</a>.
      </p>
    </Section>
  );
}
