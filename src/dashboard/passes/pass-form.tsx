import { type PassHours, PASS_REASONS } from '#domain/passes/index.js';
import { type Weekday, WEEKDAYS } from '#domain/locations/index.js';
import type { ShownPass } from '#api/operator/index.js';
import { DAY_NAMES } from '../hours/hours-texts.js';
import type { Refused } from '../page/page.js';
import { Choices, idOfOption, Options, Select } from '../parts/choices.js';
import { Field, Form, TextLines } from '../parts/form.js';
import { PHONE_LIKE } from '../page/phone-words.js';
import { localText, zoneText } from '../parts/words.js';
import { REASON_TEXTS, weekText } from './pass-words.js';

/** What a new pass may begin with. */
export interface PassDraft {
  readonly unit_names: readonly string[];
  readonly reason: ShownPass['reason'];
}

interface PassFormProps {
  readonly action: string;
  readonly zone: string;
  readonly gates: readonly { readonly entry_point_id: string; readonly name: string }[];
  readonly refused: Refused | undefined;
  readonly of:
    | { readonly kind: 'new'; readonly draft: PassDraft }
    | { readonly kind: 'known'; readonly pass: ShownPass };
}

/** The form of a new pass, and of a change. */
export function PassForm({ action, zone, gates, refused, of }: PassFormProps) {
  const isNew = of.kind === 'new';
  const first = of.kind === 'new' ? firstOfNew(of.draft) : firstOf(of.pass, zone);
  const own = oneWindowOf(first.hours) ?? OFFICE;
  return (
    <Form name="pass" action={action} submit={isNew ? 'Give pass' : 'Save'} refused={refused} withInitial>
      <Field
        name="name"
        label="Name"
        hint="A person or a company."
        value={first.name}
        required
        maxLength={255}
        autofocus={isNew}
      />
      <Field
        name="phone"
        label="Phone"
        hint={`They sign in with it. ${PHONE_LIKE}`}
        type="tel"
        value={first.phone}
        required
      />
      <Select
        name="reason"
        label="For"
        options={PASS_REASONS.map((reason) => [reason, REASON_TEXTS[reason]] as const)}
        value={first.reason}
      />
      <Choices
        name="entry_point_ids"
        legend="Gates"
        options={gates.map(({ entry_point_id, name }) => [entry_point_id, name] as const)}
        chosen={first.entry_point_ids}
      />
      <Field
        name="unit_ids"
        label="Units"
        hint="Names with commas between them. Only units that nobody rents, or that are in auction."
        value={first.unit_names.join(', ')}
      />
      <Field
        name="from"
        label={`From (${zoneText(zone)})`}
        hint="Blank: now."
        type="datetime-local"
        value={first.from}
      />
      <Field
        name="until"
        label={`Until (${zoneText(zone)})`}
        hint="At most a year ahead."
        type="datetime-local"
        value={first.until}
        required
      />
      <Options
        name="hours"
        legend="Hours"
        options={hoursOptions(first.hours)}
        value={first.hours === null ? 'gates' : 'kept'}
      />
      <Choices
        name="days"
        legend="Days"
        options={WEEKDAYS.map((day) => [day, DAY_NAMES[day]] as const)}
        chosen={own.days}
        chooses={OWN}
      />
      <Field name="opens" label="Opens" type="time" value={own.open} chooses={OWN} />
      <Field name="closes" label="Closes" type="time" value={own.close} chooses={OWN} />
      <TextLines
        name="note"
        label="Note"
        hint="For staff. It is erased with the holder’s details."
        value={first.note}
        rows={2}
      />
    </Form>
  );
}

/** The first values of a form. */
interface FirstValues extends Pick<ShownPass, 'name' | 'phone' | 'reason' | 'hours'> {
  readonly entry_point_ids: readonly string[];
  readonly unit_names: readonly string[];
  readonly from: string;
  readonly until: string;
  readonly note: string;
}

function firstOfNew(draft: PassDraft): FirstValues {
  const blank = { name: null, phone: null, hours: null, from: '', until: '', note: '' };
  return { ...blank, ...draft, entry_point_ids: [] };
}

function firstOf(pass: ShownPass, zone: string): FirstValues {
  const { name, phone, reason, hours, from, until, note } = pass;
  const local = (instant: string) => localText(Date.parse(instant), zone);
  return {
    name,
    phone,
    reason,
    hours,
    entry_point_ids: pass.entry_points.map(({ entry_point_id }) => entry_point_id),
    unit_names: openedUnits(pass).map(({ unit_name }) => unit_name),
    from: local(from),
    until: local(until),
    note: note ?? '',
  };
}

/** The choice that days and times are part of. */
const OWN = idOfOption('pass', 'hours', 'own');

/** The days on which a pass opens, and the times of these days. */
interface OneWindow {
  readonly days: readonly Weekday[];
  readonly open: string;
  readonly close: string;
}

const OFFICE: OneWindow = { days: WEEKDAYS.slice(0, 5), open: '08:00', close: '17:00' };

/** Undefined: the days differ in more than being closed. */
function oneWindowOf(hours: PassHours | null): OneWindow | undefined {
  const opened = WEEKDAYS.flatMap((day) =>
    hours === null || hours[day] === 'closed' ? [] : [[day, hours[day]] as const],
  );
  const [first] = opened;
  if (first === undefined || typeof first[1] === 'string') return undefined;
  const { open, close } = first[1];
  const isOne = opened.every(
    ([, one]) => typeof one !== 'string' && one.open === open && one.close === close,
  );
  return isOne ? { days: opened.map(([day]) => day), open, close } : undefined;
}

function hoursOptions(hours: PassHours | null) {
  const kept = hours === null ? [] : [['kept', weekText(hours)] as const];
  return [
    ...kept,
    ['gates', 'Those of each gate'] as const,
    ['own', 'Its own days and times', 'They count in place of the gates’ hours.'] as const,
  ];
}

/** The units that a pass names and still opens. */
export function openedUnits({ units }: ShownPass): ShownPass['units'] {
  return units.filter(({ opens }) => opens);
}
