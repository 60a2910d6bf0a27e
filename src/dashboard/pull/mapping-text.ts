import { invalidField } from '#kernel/errors/api-error.js';
import { MAPPED_FIELDS, type Mapping } from '#pull/index.js';
import { type FormValues, lastOf } from '../page/page.js';
import { changedValues, fieldsOf } from '../parts/initial-values.js';
import { feedFieldText } from '../parts/labels.js';
import { chosenMapping } from './chosen-mapping.js';

const LEFT_OUT = '-';

/** The fields to choose from: a tenant's details one by one, with one id. */
export const OFFERED_FIELDS = MAPPED_FIELDS.filter(
  (one) => one !== 'tenant' && one !== 'tenant.pms_tenant_id',
);

/** A mapping as lines of `their name = our name`; `-` for what is left out. */
export function mappingText(mapping: Mapping | null | undefined): string {
  return Object.entries(mapping ?? {})
    .map(([name, target]) => `${name} = ${target === null ? LEFT_OUT : feedFieldText(target)}`)
    .join('\n');
}

/**
 * Reads a mapping text; empty if there is no line. A field may have its label or its name in the API.
 * @throws ApiError 422 for a line without a field, and for two lines of one name
 */
function mappingOf(text: string): Mapping | '' {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return '';
  const entries = lines.map((line): [string, string | null] => {
    const at = line.lastIndexOf('=');
    const [name, target] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).trim()];
    return [name.trim(), target === LEFT_OUT ? null : fieldCalled(target, line)];
  });
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    throw invalidField('mapping', 'duplicate', 'The mapping field must not have two lines for one name.');
  return Object.fromEntries(entries);
}

/** @throws ApiError 422 */
function fieldCalled(text: string, line: string): string {
  const field = MAPPED_FIELDS.find((one) =>
    [one, feedFieldText(one).toLowerCase()].includes(text.toLowerCase()),
  );
  if (field !== undefined) return field;
  throw invalidField(
    'mapping',
    'unknown_value',
    `The mapping field has a line that leads to no field: “${line.trim()}”.`,
  );
}

/** True unless the fields of a connection test are sent with another address. */
export function isOfTestedAddress({ url, tested_url }: FormValues): boolean {
  return tested_url === undefined || lastOf(tested_url) === lastOf(url);
}

/** A test sends the kept credential, and to the saved address only. @throws ApiError 422 */
export function assertSavedAddress(form: FormValues): void {
  const changes = changedValues(form);
  if (!['url', 'auth_header', 'drop_auth'].some((name) => name in changes)) return;
  const message =
    'A test uses the saved address and authorization. Save them first, then test the connection.';
  throw invalidField('url', 'conflict', message);
}

/** The typed mapping of a source's form, otherwise the chosen one. @throws ApiError 422 */
export function mappingIn(form: FormValues): Mapping | '' | undefined {
  const { mapping: typed } = changedValues(form);
  if (typed !== undefined) return mappingOf(lastOf(typed) ?? '');
  return form['from'] === undefined ? undefined : chosenMapping(form);
}

/**
 * The fields of a source's form by the names of the operator API. Numbers and flags stay text.
 * @throws ApiError 422 for a credential that is both given and dropped, and for a faulty mapping or one of another address
 */
export function sourceFields(form: FormValues): object {
  const { drop_auth, auth_header, interval_minutes } = form;
  const drops = lastOf(drop_auth) === 'true';
  if (drops && lastOf(auth_header))
    throw invalidField(
      'auth_header',
      'conflict',
      'The auth header field must be empty where the one that is kept is forgotten.',
    );
  if (!isOfTestedAddress(form))
    throw invalidField(
      'url',
      'conflict',
      'The url field was changed since the connection test. Test the connection again.',
    );
  const mapping = mappingIn(form);
  const fields = Object.entries(fieldsOf(form)).filter(([name]) => !OF_THE_FORM_ALONE.includes(name));
  return {
    ...Object.fromEntries(fields),
    ...(interval_minutes === undefined ? {} : { interval_seconds: secondsOf(lastOf(interval_minutes)) }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(drops ? { auth_header: '' } : {}),
  };
}

/** Fields that the operator API has not, or as another value. */
const OF_THE_FORM_ALONE = [
  'add_anyway',
  'mapping',
  'from',
  'to',
  'location',
  'tested_url',
  'drop_auth',
  'interval_minutes',
];

const LONGEST_MINUTES = 1_440;

/** @throws ApiError 422 */
function secondsOf(minutes = ''): string {
  const number = Number(minutes);
  if (!(number >= 1 && number <= LONGEST_MINUTES))
    throw invalidField(
      'interval_minutes',
      'out_of_range',
      `The interval minutes field must be between 1 and ${LONGEST_MINUTES}.`,
    );
  return String(Math.round(number * 60));
}
