import { useContext } from 'preact/hooks';
import { choosing, FormContext, idOfField, Initial, Notes, useField } from './form-field.js';
import { initialName } from './initial-values.js';

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly autofocus?: boolean;
}

export function Select({ name, label, options, value, hint, autofocus }: SelectProps) {
  const { id, typed, error } = useField(name);
  const chosen = typed ?? value;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Initial name={name} value={value} />
      <select id={id} name={name} autofocus={autofocus}>
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === chosen}>
            {text}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly label: string;
  readonly checked?: boolean;
  readonly hint?: string;
}

/** A flag. An empty box sends false. */
export function Checkbox({ name, label, checked = false, hint }: CheckboxProps) {
  const { id, typed, error } = useField(name);
  const on = typed === undefined ? checked : typed === 'true';
  return (
    <div class="field tick">
      <Initial name={name} value={String(checked)} />
      <input type="hidden" name={name} value="false" />
      <input type="checkbox" id={id} name={name} value="true" checked={on} />
      <label for={id}>{label}</label>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface RadiosProps {
  readonly name: string;
  readonly legend: string;
  readonly options: SelectProps['options'];
  readonly value: string;
}

/** A choice of one among few, all of which are seen. */
export function Radios({ name, legend, options, value }: RadiosProps) {
  const { id, typed, error } = useField(name);
  return (
    <fieldset class="field" id={id} tabIndex={-1}>
      <legend>{legend}</legend>
      <Initial name={name} value={value} />
      {options.map(([one, text]) => (
        <label key={one} class="choice">
          <input type="radio" name={name} value={one} checked={one === (typed ?? value)} /> {text}
        </label>
      ))}
      <Notes id={id} hint={undefined} error={error} />
    </fieldset>
  );
}

interface PicksProps {
  readonly name: string;
  readonly legend: string;
  readonly options: SelectProps['options'];
  readonly value: string;
}

/** A choice of one among a few words. */
export function Picks({ name, legend, options, value }: PicksProps) {
  const { id, typed, error } = useField(name);
  return (
    <fieldset id={id} tabIndex={-1}>
      <legend>{legend}</legend>
      <Initial name={name} value={value} />
      <div class="picks">
        {options.map(([one, text]) => (
          <label key={one} class="pick">
            <input type="radio" name={name} value={one} checked={one === (typed ?? value)} />
            {text}
          </label>
        ))}
      </div>
      <Notes id={id} hint={undefined} error={error} />
    </fieldset>
  );
}

interface OptionsProps {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly (readonly [value: string, text: string, hint?: string])[];
  readonly value: string;
}

/** The id of one of the options of a form's field. */
export function idOfOption(form: string, field: string, value: string): string {
  return `${idOfField(form, field)}-${value}`;
}

/** A choice of one among few, each with a line that explains it. */
export function Options({ name, legend, options, value }: OptionsProps) {
  const { id, typed, error } = useField(name);
  const { name: form } = useContext(FormContext);
  return (
    <fieldset id={id} tabIndex={-1}>
      <legend>{legend}</legend>
      <Initial name={name} value={value} />
      <div class="options">
        {options.map(([one, text, hint]) => (
          <label key={one} class="tick">
            <input
              type="radio"
              id={idOfOption(form, name, one)}
              name={name}
              value={one}
              checked={one === (typed ?? value)}
            />
            <span>
              {text}
              {hint === undefined ? null : <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <Notes id={id} hint={undefined} error={error} />
    </fieldset>
  );
}

interface ChoicesProps {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen?: readonly string[];
  /** As of `Field`. */
  readonly chooses?: string;
  /** True in a drawer: the first box takes the focus. */
  readonly autofocus?: boolean;
}

/** Boxes of which several may be ticked. None ticked sends one empty value. */
export function Choices({ name, legend, options, chosen = [], chooses, autofocus }: ChoicesProps) {
  const { id, all, error } = useField(name);
  const { values, withInitial } = useContext(FormContext);
  const on = Object.keys(values).length === 0 ? chosen : all;
  const initial = ['', ...options.map(([value]) => value).filter((value) => chosen.includes(value))];
  return (
    <fieldset class="field" id={id} tabIndex={-1}>
      <legend>{legend}</legend>
      {withInitial
        ? [values[initialName(name)] ?? initial]
            .flat()
            .map((value) => <input key={value} type="hidden" name={initialName(name)} value={value} />)
        : null}
      <input type="hidden" name={name} value="" />
      {options.map(([value, text], index) => (
        <label key={value} class="choice">
          <input
            type="checkbox"
            autofocus={autofocus && index === 0}
            name={name}
            value={value}
            checked={on.includes(value)}
            {...choosing(chooses, String(chosen.includes(value)))}
          />{' '}
          {text}
        </label>
      ))}
      <Notes id={id} hint={undefined} error={error} />
    </fieldset>
  );
}
