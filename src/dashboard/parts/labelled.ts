import { type ComponentChildren, isValidElement, toChildArray } from 'preact';
import { labelOf } from '../../http/validation/decorators.js';
import type { Refused } from '../frame/page.js';

/** What the fields of a form are called on the page, by the names that the API gives them. */
export type Labels = ReadonlyMap<string, string>;

type Errors = Refused['errors'];

/** What follows the name of a field: everything else that begins with the name speaks of the thing itself. */
const FIELD = 'field ';
const TAKEN = 'has already been taken.';

/**
 * Faults of fields in the words of the page, which calls them by their labels: an entry of a list by that of the list. What
 * it has no label for is told as it is.
 */
export function labelled(errors: Errors, labels: Labels): Errors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, faults]) => {
      const label = labels.get(path.replace(/\.\d+$/, ''));
      return [path, label === undefined ? faults : faults.map((one) => renamed(one, path, label))];
    }),
  );
}

function renamed(fault: string, path: string, label: string): string {
  const named = `The ${labelOf(path)} `;
  const [isNamed, told] = [fault.startsWith(named), fault.slice(named.length)];
  if (isNamed && told === TAKEN) return `“${label}” ${TAKEN}`;
  return isNamed && told.startsWith(FIELD) ? `“${label}” ${told.slice(FIELD.length)}` : fault;
}

/** What is told of an element that may be a field. */
interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly legend: string;
  readonly children: ComponentChildren;
}

/** What the fields among some elements are called. What stands inside another component is not seen: only what is handed to it. */
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
