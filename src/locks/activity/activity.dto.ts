import {
  IsCode,
  IsNumberBetween,
  IsOneOf,
  IsText,
  IsTimestamp,
  Optional,
  Required,
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

export class EntryPointActivityReport extends ActivityReport {
  @Required() @IsText({ min: 1 }) entry_point_id!: string;
}
