import { IsOneOf, IsText, IsTimestamp, IsWhole, Optional, Required } from '../http/index.js';

const LARGEST_PAGE = 500;

export const USUAL_PAGE = 100;

/** Query of a unit's history. */
export class HistoryQuery {
  @Optional() @IsText({ min: 1, max: 4096 }) cursor?: string;
  @Optional() @IsWhole({ min: 1, max: LARGEST_PAGE }) limit?: number;
  @Optional() @IsTimestamp() from?: string;
  @Optional() @IsTimestamp() to?: string;
  @Optional() @IsOneOf(['asc', 'desc']) order?: 'asc' | 'desc';
}

/** Query of a unit at an instant. */
export class AsOfQuery {
  @Required() @IsTimestamp() at!: string;
}
