import {
  COMPANY_STAFF_STREAMS,
  describeFields,
  FED_TYPES,
  type StaffStreams,
  type StaffSubject,
} from '#domain/history/index.js';
import { OPERATOR_STAFF_STREAMS } from '#domain/operators/index.js';
import { PULL_STAFF_STREAMS } from '#pull/index.js';

/** What belongs to companies as a whole, of which the log of staff tells beside what happens at sites. */
export const ALL_STAFF_STREAMS: readonly StaffStreams[] = [
  COMPANY_STAFF_STREAMS,
  OPERATOR_STAFF_STREAMS,
  PULL_STAFF_STREAMS,
];

/** The fields of each event of {@link ALL_STAFF_STREAMS}. */
export const STAFF_FIELDS: Readonly<Record<string, readonly string[]>> = Object.assign(
  {},
  ...ALL_STAFF_STREAMS.map(({ fields }) => fields),
) as Readonly<Record<string, readonly string[]>>;

/** The types of all events of which the log of staff tells. */
export const STAFF_TYPES: readonly string[] = [...FED_TYPES, ...Object.keys(STAFF_FIELDS)];

export const STAFF_SUBJECTS = [
  'company',
  'api_token',
  'webhook',
  'operator',
  'pull_source',
] as const satisfies readonly StaffSubject['kind'][];

/** Describes {@link STAFF_FIELDS} in the API description. */
export function describeStaffFields(): string {
  return describeFields(STAFF_FIELDS);
}

interface AskedActor {
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
  readonly operator_id?: string | undefined;
}

/** Whether what staff did is asked for. Only its log tells of events that are not in the feed. */
export function isOfStaff({ type, actor, operator_id }: AskedActor): boolean {
  if (actor !== undefined) return actor === 'operator';
  return operator_id !== undefined || (type !== undefined && Object.hasOwn(STAFF_FIELDS, type));
}
