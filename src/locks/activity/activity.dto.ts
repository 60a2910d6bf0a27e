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
import {
  checkEntry,
  type FieldErrors,
  IsCode,
  isGiven,
  IsTimestamp,
  LONGEST_TEXT,
  refuseUnknownFields,
  validationFailed,
} from '../../http/index.js';
import type { ActivityEventName, ActivityResult } from '../core/activity.events.js';

/** What an app reports of a lock or an entry point (decisions on tenants: docs/decisions.md). */
export class ActivityReport {
  @ValidateIf(isGiven) @IsIn(['unlock', 'lock', 'attempt']) event?: ActivityEventName;
  @ValidateIf(isGiven) @IsIn(['success', 'failure']) result?: ActivityResult;
  @ValidateIf(isGiven) @IsCode() failure_code?: string;
  @ValidateIf(isGiven) @IsTimestamp() occurred_at?: string;
  @ValidateIf(isGiven) @IsString() @Length(1, 64) client_log_id?: string;
  @ValidateIf(isGiven) @IsNumber() @Min(0) @Max(100) battery_percent?: number;
  @ValidateIf(isGiven) @IsString() @MaxLength(500) message?: string;
}

/** Most reports that one request may carry (decisions §5). */
const MOST_ENTRIES = 100;

/** One report, or many under `entries`. */
export class ActivityReports extends ActivityReport {
  @ValidateIf(isGiven) @IsArray() @ArrayMinSize(1) @ArrayMaxSize(MOST_ENTRIES) entries?: unknown[];
}

export class EntryPointActivityReports extends ActivityReports {
  @IsString() @Length(1, LONGEST_TEXT) entry_point_id!: string;
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
    Object.assign(errors, checkEntry(ActivityReport, entry, `entries.${place}`));
  });
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return { reports: entries as ActivityReport[], areMany: true };
}

const NOTHING: ReadonlySet<string> = new Set();
