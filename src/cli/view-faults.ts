import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '#eventsourcing/projecting/unwritten-views.js';
import type { ViewsFound } from '#eventsourcing/projecting/views-comparison.js';

/** A line for the first document that differs from the log, with the number of the others. */
export function faultsOfViews(found: ViewsFound | undefined): string[] {
  if (found?.kind !== 'compared') return [];
  const [first, ...others] = found.wrong;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` ${others.length} more documents differ.`;
  return [`${describeDifference(first)}.${more} To make the views anew, run storage-access views rebuild`];
}

/** Names fields, never their values. */
function describeDifference({ collection, id, stored, right }: Difference): string {
  const document = `document ${id} of the view ${collection}`;
  if (stored === undefined) return `${document} is missing`;
  if (right === undefined) return `${document} has no event in the log`;
  const { revision } = stored as { readonly revision?: number };
  const at = revision === undefined ? '' : ` at revision ${revision}`;
  return `${document} differs from the log${at}, in ${differingFields(stored, right).join(', ')}`;
}

function differingFields(stored: object, right: object): string[] {
  const [one, other] = [stored, right] as Readonly<Record<string, unknown>>[];
  const fields = [...new Set([...Object.keys(one!), ...Object.keys(other!)])];
  return fields.filter((field) => field !== 'version' && !isDeepStrictEqual(one![field], other![field]));
}
