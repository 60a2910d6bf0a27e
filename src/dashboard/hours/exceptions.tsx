import type { ComponentChildren } from 'preact';
import type { AccessHours, HoursException } from '#domain/locations/index.js';
import type { Refused } from '../page/page.js';
import {
  choosing,
  described,
  FormContext,
  idOfField,
  Notes,
  UNTOUCHED,
  useField,
} from '../parts/form-field.js';
import { TextLines } from '../parts/form.js';
import { Drawer, DrawerButton } from '../parts/drawer.js';
import { EmptyState } from '../parts/empty-state.js';
import { SectionHead, Table } from '../parts/layout.js';
import { Refusal } from '../parts/refusal.js';
import { idOfHoursOption, KindOptions } from './hours-form.js';
import { DAY, USUAL_WINDOW } from './hours-form-values.js';
import { dateText, hoursText, textOfRemoved } from './hours-texts.js';

interface ExceptionsProps {
  readonly path: string;
  readonly hours: AccessHours;
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** The form of the week. Fields of days are part of it, so that its fields are sent with them, and none is lost. */
const FORM = 'form-hours';

/** Holidays and other days: a list, and a field in which one or many are typed or pasted. */
export function Exceptions({ path, hours, mayChange, refused }: ExceptionsProps) {
  const { exceptions } = hours;
  return (
    <>
      <SectionHead title="Holidays and other days">
        {mayChange ? (
          <div class="acts">
            <DrawerButton form="days" icon={null} tone="usual">
              Paste many days
            </DrawerButton>
            <DrawerButton form="day" tone="usual">
              Add a day
            </DrawerButton>
          </div>
        ) : null}
      </SectionHead>
      <div class="card">
        {exceptions.length === 0 ? (
          <EmptyState icon="calendar" title="No other days">
            The week’s hours hold on every day.
          </EmptyState>
        ) : (
          <Table
            caption="Days with hours of their own"
            head={['Date', 'Name', 'Access', ...(mayChange ? ['Remove'] : [])]}
            rows={exceptions.map(({ date, name = '', hours: ofDay }) => ({
              key: date,
              cells: [
                dateText(date),
                name,
                hoursText(ofDay),
                ...(mayChange ? [<RemoveDay key={date} path={path} date={date} />] : []),
              ],
            }))}
          />
        )}
      </div>
      {mayChange ? (
        <>
          <Drawer form="day" title="Add a day" {...{ path, refused }}>
            <AddDay path={path} refused={refused} />
          </Drawer>
          <Drawer form="days" title="Paste many days" {...{ path, refused }}>
            <AddDays path={path} refused={refused} />
          </Drawer>
        </>
      ) : null}
    </>
  );
}

type AddProps = Pick<ExceptionsProps, 'path' | 'refused'>;

/** One day, in fields of its own. */
function AddDay({ path, refused }: AddProps) {
  return (
    <Part name="day" refused={refused} fields={Object.values(DAY)}>
      <div class="day-fields">
        <DayField name={DAY.date} label="Date" type="date" autofocus />
        <DayField name={DAY.name} label="Name" type="text" maxLength={255} />
        <DayKind />
        <DayField name={DAY.open} label="Opens" type="time" value={USUAL_WINDOW.open} />
        <DayField name={DAY.close} label="Closes" type="time" value={USUAL_WINDOW.close} />
      </div>
      <button class="primary" form={FORM} formaction={`${path}/day`}>
        Add day
      </button>
    </Part>
  );
}

interface DayFieldProps {
  readonly name: string;
  readonly label: string;
  readonly type: 'date' | 'text' | 'time';
  readonly value?: string;
  readonly maxLength?: number;
  /** The field of a drawer that is filled first. */
  readonly autofocus?: boolean;
}

function DayField({ name, label, type, value, maxLength, autofocus }: DayFieldProps) {
  const { id, typed, error } = useField(name);
  const choice = type === 'time' ? idOfHoursOption(idOfField('day', DAY.kind)) : undefined;
  const own = {
    id,
    name,
    type,
    form: FORM,
    value: typed ?? value,
    maxLength,
    autofocus,
    autocomplete: 'off',
  };
  const attributes: object = { ...own, ...choosing(choice, value), ...described(id, undefined, error) };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...attributes} />
      <Notes id={id} hint={undefined} error={error} />
    </div>
  );
}

function DayKind() {
  const { id, typed = 'closed', error } = useField(DAY.kind);
  return (
    <div class="field">
      <label for={id}>Access</label>
      <select id={id} name={DAY.kind} form={FORM} {...described(id, undefined, error)}>
        <KindOptions chosen={typed} id={id} />
      </select>
      <Notes id={id} hint={undefined} error={error} />
    </div>
  );
}

function AddDays({ path, refused }: AddProps) {
  return (
    <Part name="days" refused={refused} fields={['days']}>
      <TextLines
        name="days"
        form={FORM}
        autofocus
        label="Days to add"
        hint="One a line, typed or pasted: 2026-12-25, closed, Christmas Day. Or hours, like 6:00 to 14:00. A day that is listed is replaced."
      />
      <button class="primary" form={FORM} formaction={`${path}/days`}>
        Add days
      </button>
    </Part>
  );
}

interface PartProps {
  /** Of the form that an action of this part may refuse. */
  readonly name: string;
  readonly refused: Refused | undefined;
  readonly fields: readonly string[];
  readonly children: ComponentChildren;
}

/** A part of the form of the week, with a button of its own. */
function Part({ name, refused, fields, children }: PartProps) {
  const { values, errors } = refused ?? UNTOUCHED;
  return (
    <FormContext.Provider value={{ name, values, errors, withInitial: false }}>
      <div class="form">
        <Refusal
          refused={refused?.form === name ? refused : undefined}
          idOf={(field) => (fields.includes(field) ? idOfField(name, field) : undefined)}
        />
        {children}
      </div>
    </FormContext.Provider>
  );
}

function RemoveDay({ path, date }: { readonly path: string; readonly date: string }) {
  return (
    <button class="quiet" form={FORM} formaction={`${path}/days/remove`} name="date" value={date}>
      Remove<span class="unseen"> {dateText(date)}</span>
    </button>
  );
}

interface PutBackProps {
  readonly path: string;
  readonly day: HoursException;
  /** The revision of the hours that had it. */
  readonly was: number;
}

/** The button that undoes the removal of a day. */
export function PutBack({ path, day: { date, name, hours }, was }: PutBackProps) {
  const text = name === undefined ? hoursText(hours) : `${hoursText(hours)}, ${name}`;
  return (
    <p>
      {/* Enter presses the first button of a form: not the one that follows. */}
      <button class="unseen" form={FORM} tabIndex={-1} aria-hidden="true">
        Save hours
      </button>
      <button
        class="quiet"
        form={FORM}
        formaction={`${path}/days/restore`}
        name="restored"
        value={textOfRemoved({ removed: date, was })}
      >
        Put {dateText(date)} back ({text})
      </button>
    </p>
  );
}
