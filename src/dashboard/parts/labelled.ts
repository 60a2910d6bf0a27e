import type { Refused } from '../frame/page.js';

/** What the fields of a form are called on the page, by the names that the API gives them. */
export type Labels = ReadonlyMap<string, string>;

type Errors = Refused['errors'];

/** Faults of fields in the words of the page, which calls them by their labels; what it has no label for is told as it is. */
export function labelled(errors: Errors, labels: Labels): Errors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, faults]) => {
      const label = labels.get(name);
      return [name, label === undefined ? faults : faults.map((one) => renamed(one, name, label))];
    }),
  );
}

function renamed(fault: string, name: string, label: string): string {
  const named = `The ${name.replaceAll('_', ' ')} field `;
  return fault.startsWith(named) ? `“${label}” ${fault.slice(named.length)}` : fault;
}
