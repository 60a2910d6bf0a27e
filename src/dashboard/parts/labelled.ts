import { type ComponentChildren, isValidElement, toChildArray } from 'preact';
import { labelOf } from '#web/validation/decorators.js';
import type { Refused } from '../page/page.js';

/** The labels of a form's fields, by their names in the API. */
export type Labels = ReadonlyMap<string, string>;

type Errors = Refused['errors'];

/** Follows the name of a field in a message. Other messages with the name are about the thing itself. */
const FIELD = 'field ';
const TAKEN = 'has already been taken';

/**
 * Replaces the names of fields in messages by their labels. An entry of a list gets the label of the list. A message without a
 * label stays.
 */
export function labelled(errors: Errors, labels: Labels): Errors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, faults]) => {
      const label = labels.get(fieldOf(path));
      return [path, label === undefined ? faults : faults.map((one) => renamed(one, path, label))];
    }),
  );
}

/** The field of an error's path: the list, for an entry of it. */
export function fieldOf(path: string): string {
  return path.replace(/\.\d+$/, '');
}

function renamed(fault: string, path: string, label: string): string {
  const named = `The ${labelOf(path)} `;
  const isNamed = fault.startsWith(named);
  const rest = fault.slice(named.length);
  if (isNamed && rest.startsWith(TAKEN)) return `“${label}” ${rest}`;
  return isNamed && rest.startsWith(FIELD) ? `“${label}” ${rest.slice(FIELD.length)}` : fault;
}

/** Props of an element that may be a field. */
interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly legend: string;
  readonly children: ComponentChildren;
}

/** The labels of the fields among elements. Fields that a component makes itself are not found, only its children. */
export function labelsIn(children: ComponentChildren): Labels {
  const labels = new Map<string, string>();
  for (const child of toChildArray(children)) {
    if (!isValidElement(child)) continue;
    const { name, label, legend, children: inner } = child.props as Partial<Labelled>;
    const text = label ?? legend;
    if (name !== undefined && text !== undefined) labels.set(name, text);
    for (const [field, called] of labelsIn(inner)) labels.set(field, called);
  }
  return labels;
}
