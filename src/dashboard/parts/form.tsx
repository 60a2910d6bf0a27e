import { type ComponentChildren, isValidElement, toChildArray } from 'preact';
import { useContext } from 'preact/hooks';
import { lastOf, type Refused } from '../page/page.js';
import {
  choosing,
  described,
  FormContext,
  idOfField,
  Initial,
  Notes,
  UNTOUCHED,
  useField,
} from './form-field.js';
import { fieldOf, labelled, labelsIn } from './labelled.js';
import { KeptFormContext, useNotedForm, useRefused } from './kept-form.js';
import { Refusal } from './refusal.js';

interface OtherWay {
  readonly action: string;
  readonly submit: string;
  /** Attributes of the button, as for htmx. */
  readonly attributes?: Readonly<Record<string, string>>;
  /**
   * Where the button is. `below`: on a line of its own. `beside`: on the line of the first one. `first`: before it, as the
   * main one, to which Enter sends the form.
   */
  readonly place: 'below' | 'beside' | 'first';
}

interface FormProps {
  /** Unique on the page. */
  readonly name: string;
  readonly action: string;
  /** `get` for a form that changes nothing. */
  readonly method?: 'get' | 'post';
  /** Text of the button. */
  readonly submit: string;
  /** The refused form of the page. Ignored if it is another form. */
  readonly refused?: Refused | undefined;
  readonly tone?: 'usual' | 'danger' | 'quiet';
  /** A second button, which sends the fields to another address. */
  readonly other?: OtherWay | undefined;
  /** True: the form also sends the first values of its fields, so that `changesOf` finds the changes. */
  readonly withInitial?: boolean;
  readonly children?: ComponentChildren;
}

/**
 * A form. After a refusal it shows the reason and keeps the typed values. Messages name a field by its label only if the field
 * is among `children`, not inside another component.
 */
export function Form({
  name,
  action,
  method = 'post',
  submit,
  refused,
  tone = 'usual',
  other,
  withInitial = false,
  children,
}: FormProps) {
  const own = useRefused(name, refused);
  if (method === 'post') useNotedForm({ name, actions: [action, other?.action ?? []].flat(), children });
  const labels = labelsIn(children);
  const shown = own && { ...own, errors: labelled(own.errors, labels) };
  const idOf = (path: string) => {
    const field = fieldOf(path);
    return labels.has(field) ? idOfField(name, field) : undefined;
  };
  const { values, errors } = shown ?? UNTOUCHED;
  const state = { name, values, errors, withInitial };
  return (
    <form class="form" method={method} action={action} id={`form-${name}`}>
      <Refusal refused={shown} idOf={idOf} />
      <FormContext.Provider value={state}>{children}</FormContext.Provider>
      <Buttons {...{ name, submit, tone, other }} />
    </form>
  );
}

type ButtonsProps = Required<Pick<FormProps, 'name' | 'submit' | 'tone'>> & Pick<FormProps, 'other'>;

function Buttons({ name, submit, tone, other }: ButtonsProps) {
  const isMain = other?.place === 'first';
  const own = <button class={isMain ? 'quiet' : tone === 'usual' ? 'primary' : tone}>{submit}</button>;
  if (other === undefined) return own;
  const second = (
    <button
      class={isMain ? 'primary' : 'quiet'}
      id={`${name}-other`}
      formaction={other.action}
      {...other.attributes}
    >
      {other.submit}
    </button>
  );
  const inOrder = isMain ? [second, own] : [own, second];
  return other.place === 'below' ? <>{inOrder}</> : <div class="acts">{inOrder}</div>;
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** The first value. */
  readonly value?: string | number | null | undefined;
  readonly hint?: string;
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'date' | 'datetime-local' | 'time' | 'number';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: number | string;
  readonly max?: number;
  readonly step?: string;
  readonly autocomplete?: string;
  /** Suggestions of the browser. Other text can be typed. */
  readonly suggestions?: readonly { readonly value: string; readonly text: string }[];
  /** True for the field of a dialog that is filled first. */
  readonly autofocus?: boolean;
  /** The id of the choice that the field is part of: typing chooses it. */
  readonly chooses?: string;
  /** True: a script that replaces the form leaves this field as it is typed. */
  readonly isKept?: boolean;
}

/** A hidden value. A refused form keeps the one from before. */
export function Kept({ name, value }: { readonly name: string; readonly value: string }) {
  const { values } = useContext(FormContext);
  return <input type="hidden" name={name} value={lastOf(values[name] ?? value)} />;
}

/** A hidden value of the page as it is now. A refused form gets the present one. */
export function Present({ name, value }: { readonly name: string; readonly value: string }) {
  return <input type="hidden" name={name} value={value} />;
}

export function Field({
  name,
  label,
  value,
  hint,
  type = 'text',
  maxLength,
  autocomplete,
  suggestions = [],
  chooses,
  isKept = false,
  ...rest
}: FieldProps) {
  const { id, typed, error } = useField(name);
  // A typed password is never sent back.
  const shown = type === 'password' ? undefined : (typed ?? value ?? undefined);
  const attributes: object = {
    id,
    name,
    type,
    value: shown,
    maxlength: maxLength,
    autocomplete: autocomplete ?? 'off',
    ...rest,
    ...choosing(chooses, value),
    ...(suggestions.length > 0 && { list: `${id}-list` }),
    ...described(id, hint, error),
  };
  return (
    <div class="field" {...(isKept && { id: `${id}-kept`, 'hx-preserve': 'true' })}>
      <label for={id}>{label}</label>
      <Initial name={name} value={value} />
      <input {...attributes} />
      <Suggestions id={`${id}-list`} of={suggestions} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

function Suggestions({ id, of }: { id: string; of: NonNullable<FieldProps['suggestions']> }) {
  if (of.length === 0) return null;
  return (
    <datalist id={id}>
      {of.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </datalist>
  );
}

interface TextLinesProps extends Pick<FieldProps, 'name' | 'label' | 'hint'> {
  readonly value?: string;
  readonly rows?: number;
  /** The id of its form, if it is outside of it. */
  readonly form?: string;
  readonly autofocus?: boolean;
}

/** Text of several lines. */
export function TextLines({ name, label, value, hint, rows = 4, form, autofocus }: TextLinesProps) {
  const { id, typed, error } = useField(name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Initial name={name} value={value} />
      <textarea {...{ id, name, rows, form, autofocus, ...described(id, hint, error) }}>
        {typed ?? value}
      </textarea>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

/** An action that cannot be undone, behind a step that warns. Open if its form was refused. */
export function Danger({
  summary,
  children,
}: {
  readonly summary: string;
  readonly children: ComponentChildren;
}) {
  const { refused: kept } = useContext(KeptFormContext);
  return (
    <details class="danger-zone" open={holdsRefused(children, kept)}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

/** Whether a form among some elements is the one that was refused. */
function holdsRefused(children: ComponentChildren, kept: Refused | undefined): boolean {
  return toChildArray(children).some((child) => {
    if (!isValidElement(child)) return false;
    const { name, refused, children: inner } = child.props as Partial<FormProps>;
    const isRefused = [refused, kept].some((one) => one !== undefined && one.form === name);
    return isRefused || holdsRefused(inner, kept);
  });
}
