import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNumber,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { validationFailed } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { schemaOf } from '#web/openapi/dto-schema.js';
import { type Dto, IsCode, IsTimestamp, Says } from '#web/validation/decorators.js';
import type { JsonSchema } from '#web/validation/json-schema.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import { checkEntry } from '#web/validation/check.js';
import {
  ACTIVITY_EVENTS,
  ACTIVITY_RESULTS,
  type ActivityEventName,
  type ActivityResult,
  type ReadReport,
  REFUSAL_CODES,
  type Reports,
} from '#domain/locks/index.js';

/** The fields of a report in every version of the API. */
class ReportDetails {
  @Says(
    `The app's code of the failure: 1 to 64 of \`a-z 0-9 _ . -\`. Only with \`failure\`. The lock was right to refuse under ${REFUSAL_CODES.map((code) => `\`${code}\``).join(', ')}; any other code counts as a lock that failed.`,
  )
  @ValidateIf(isGiven)
  @IsCode()
  failure_code?: string;
  @Says(
    'Instant at which it happened. Left out: now. At most 30 days old and at most 5 minutes ahead; otherwise refused.',
  )
  @ValidateIf(isGiven)
  @IsTimestamp()
  occurred_at?: string;
  @Says(
    "The app's own identifier, 1 to 64 characters. A repeat is stored once and answers the first `log_id`. With another body it is refused (409).",
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, 64)
  client_log_id?: string;
  @Says('Charge of the battery, 0 to 100. Left out: not known.')
  @ValidateIf(isGiven)
  @IsNumber()
  @Min(0)
  @Max(100)
  battery_percent?: number;
  @Says('A note of at most 500 characters. Left out: none.')
  @ValidateIf(isGiven)
  @IsString()
  @MaxLength(500)
  message?: string;
}

export class ActivityReport extends ReportDetails {
  @Says('What the app did: `unlock`, `lock`, or another `attempt`.')
  @IsIn(ACTIVITY_EVENTS)
  event!: ActivityEventName;
  @Says('Whether it worked. Only a successful `unlock` sets `last_accessed_at`.')
  @IsIn(ACTIVITY_RESULTS)
  result!: ActivityResult;
}

/** Before v2 `event` and `result` may be left out. */
export class EarlierActivityReport extends ReportDetails {
  @Says('What happened. Left out: `unlock`.')
  @ValidateIf(isGiven)
  @IsIn(ACTIVITY_EVENTS)
  event?: ActivityEventName;
  @Says('Whether it worked. Left out: `success`.')
  @ValidateIf(isGiven)
  @IsIn(ACTIVITY_RESULTS)
  result?: ActivityResult;
}

/** Most reports in one request (decisions §5). */
const MOST_ENTRIES = 100;
const ENTRIES = `1 to ${MOST_ENTRIES} reports. Each has its own outcome.`;

export class ActivityBatch {
  @Says(ENTRIES, { entries: ActivityReport })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_ENTRIES)
  entries!: unknown[];
}

export class EarlierActivityBatch {
  @Says(ENTRIES, { entries: EarlierActivityReport })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_ENTRIES)
  entries!: unknown[];
}

/** For the route whose path does not name the entry point. */
class NamedEntryPoint {
  @Says('The entry point that the reports are about.')
  @IsString()
  @Length(1, LONGEST_TEXT)
  entry_point_id!: string;
}

/** The two forms of a body in one version of the API. */
export interface ReportForms {
  readonly one: Dto;
  readonly many: Dto;
}

export const CURRENT_FORMS: ReportForms = { one: ActivityReport, many: ActivityBatch };
export const EARLIER_FORMS: ReportForms = { one: EarlierActivityReport, many: EarlierActivityBatch };

/**
 * Reads the reports of a body. In a batch, a faulty report does not affect the others.
 * @param otherFaults faults of other fields of the body
 * @throws ApiError 422 for a fault of a single report, of the list, or of another field
 */
export function reportsIn(
  body: object,
  { one, many }: ReportForms,
  otherFaults: readonly FieldFault[] = [],
): Reports {
  const areMany = 'entries' in body;
  const fault = areMany ? checkEntry(many, body, '') : reportFault(one, body, '');
  if (fault !== undefined || otherFaults.length > 0)
    throw validationFailed([...otherFaults, ...(fault ?? [])]);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (!areMany) return { reports: [{ report: withDefaults(body) }], areMany, bytes };
  const reports = (body as ActivityBatch).entries.map((entry, index): ReadReport => {
    const faults = reportFault(one, entry, `entries.${index}`);
    return faults === undefined
      ? { report: withDefaults(entry as object) }
      : { fault: validationFailed(faults) };
  });
  return { reports, areMany, bytes };
}

/** As {@link reportsIn}, for a body that names the entry point. @throws ApiError 422 */
export function namedReportsIn(
  { entry_point_id, ...body }: Readonly<Record<string, unknown>>,
  forms: ReportForms,
): { readonly entry_point_id: string; readonly reports: Reports } {
  const otherFaults = checkEntry(NamedEntryPoint, { entry_point_id }, '');
  return { reports: reportsIn(body, forms, otherFaults), entry_point_id: entry_point_id as string };
}

/** The schema of a body with one report or many. */
export function bodyOf({ one, many }: ReportForms): JsonSchema {
  return { title: `${one.name}OrBatch`, oneOf: [schemaOf(one), schemaOf(many)] };
}

/** As {@link bodyOf}, with the field `entry_point_id`. */
export function namedBodyOf({ one, many }: ReportForms): JsonSchema {
  const { required, properties } = schemaOf(NamedEntryPoint);
  const named = (schema: JsonSchema): JsonSchema => ({
    ...schema,
    title: `EntryPoint${schema.title}`,
    required: [...required!, ...schema.required!],
    properties: { ...properties, ...schema.properties },
  });
  return { title: `EntryPoint${one.name}OrBatch`, oneOf: [named(schemaOf(one)), named(schemaOf(many))] };
}

/** Adds the fields that may be left out before v2. */
function withDefaults(report: Partial<ActivityReport>): ActivityReport {
  return { event: 'unlock', result: 'success', ...report };
}

function reportFault(form: Dto, entry: unknown, path: string): FieldFault[] | undefined {
  const faults = checkEntry(form, entry, path);
  if (faults !== undefined) return faults;
  const { result, failure_code } = entry as Partial<ActivityReport>;
  if (failure_code === undefined || result === 'failure') return undefined;
  const field = path === '' ? 'failure_code' : `${path}.failure_code`;
  const message = 'The failure code field is not allowed unless result is failure.';
  return [{ field, code: 'not_allowed', message }];
}
