import {
  checkEntry,
  type FieldErrors,
  fieldRule,
  IsCode,
  IsNumberBetween,
  IsOneOf,
  IsText,
  IsTimestamp,
  Optional,
  refuseUnknownFields,
  Required,
  validationFailed,
} from '../../http/index.js';
import type { ActivityEventName, ActivityResult } from '../core/activity.events.js';

/** What an app reports of a lock or an entry point (decisions on tenants: docs/decisions.md). */
export class ActivityReport {
  @Optional() @IsOneOf(['unlock', 'lock', 'attempt']) event?: ActivityEventName;
  @Optional() @IsOneOf(['success', 'failure']) result?: ActivityResult;
  @Optional() @IsCode() failure_code?: string;
  @Optional() @IsTimestamp() occurred_at?: string;
  @Optional() @IsText({ min: 1, max: 64 }) client_log_id?: string;
  @Optional() @IsNumberBetween(0, 100) battery_percent?: number;
  @Optional() @IsText({ max: 500 }) message?: string;
}

/** Most reports that one request may carry (decisions §5). */
const MOST_ENTRIES = 100;

const IsEntries = () =>
  fieldRule('isEntries', (value) => {
    if (!Array.isArray(value)) return 'must be an array.';
    const fits = value.length >= 1 && value.length <= MOST_ENTRIES;
    return fits ? undefined : `must have between 1 and ${MOST_ENTRIES} entries.`;
  });

/** One report, or many under `entries`. */
export class ActivityReports extends ActivityReport {
  @Optional() @IsEntries() entries?: unknown[];
}

export class EntryPointActivityReports extends ActivityReports {
  @Required() @IsText({ min: 1 }) entry_point_id!: string;
}

/** What a body reports. */
export interface Reports {
  readonly reports: readonly ActivityReport[];
  /** They stand under `entries`, and are answered so. */
  readonly areMany: boolean;
}

/** The reports that a body carries. @throws ApiError 422 for entries that are none, and for anything beside `entries` */
export function reportsIn({ entries, ...single }: ActivityReports): Reports {
  if (entries === undefined) return { reports: [single], areMany: false };
  const errors: FieldErrors = {};
  refuseUnknownFields(single, NOTHING, errors);
  entries.forEach((entry, place) => {
    const path = `entries.${place}`;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      errors[path] = [`The ${place} field must be an object.`];
    } else {
      Object.assign(errors, checkEntry(ActivityReport, entry, path));
    }
  });
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return { reports: entries as ActivityReport[], areMany: true };
}

const NOTHING: ReadonlySet<string> = new Set();
