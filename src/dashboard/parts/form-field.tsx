import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type FormValues, lastOf, type Refused } from '../page/page.js';
import { initialName } from './initial-values.js';

/** What a form tells its fields. */
interface FormState {
  readonly name: string;
  readonly values: FormValues;
  readonly errors: Refused['errors'];
  readonly withInitial: boolean;
}

export const UNTOUCHED: Pick<FormState, 'values' | 'errors'> = { values: {}, errors: {} };
export const FormContext = createContext<FormState>({ name: '', ...UNTOUCHED, withInitial: false });

interface InitialProps {
  readonly name: string;
  readonly value?: string | number | null | undefined;
}

/** The first value of a field. A refused form keeps the one from before. */
export function Initial({ name, value }: InitialProps) {
  const { values, withInitial } = useContext(FormContext);
  if (!withInitial) return null;
  const initial = initialName(name);
  return <input type="hidden" name={initial} value={lastOf(values[initial]) ?? value ?? ''} />;
}

export const idOfField = (form: string, field: string) => `${form}-${field}`;

export function useField(name: string) {
  const { name: form, values, errors } = useContext(FormContext);
  const typed = values[name];
  const id = idOfField(form, name);
  return {
    id,
    typed: typeof typed === 'string' ? typed : typed?.at(-1),
    all: [typed ?? []].flat(),
    error: errors[name]?.[0],
  };
}

interface NotesProps {
  readonly id: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
}

export function Notes({ id, hint, error }: NotesProps) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  );
}

/** Attributes that tie a field to its hint and its error. */
export function described(id: string, hint: string | undefined, error: string | undefined) {
  const notes = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat();
  return {
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
  };
}

/** Attributes of a field that is part of a choice: a script makes the choice as the field is filled in. @param id of the choice */
export function choosing(id: string | undefined, first: InitialProps['value']) {
  return id === undefined ? {} : { 'data-chooses': id, 'data-first': first ?? '' };
}
