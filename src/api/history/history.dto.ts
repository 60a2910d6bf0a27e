import { IsIn, ValidateIf } from 'class-validator';
import { IsTimestamp, Says } from '#web/validation/decorators.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { IsCursor, PageQuery, USUAL_PAGE } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';

export class ActivityQuery extends PageQuery {
  @Says('Only entries at or after this instant. Left out: from the beginning.')
  @ValidateIf(isGiven)
  @IsTimestamp()
  from?: string;
  @Says('Only entries before this instant. Left out: up to now.')
  @ValidateIf(isGiven)
  @IsTimestamp()
  to?: string;
}

export class HistoryQuery extends ActivityQuery {
  @Says('`asc` for oldest first, `desc` for newest first. Left out: `asc`.')
  @ValidateIf(isGiven)
  @IsIn(['asc', 'desc'])
  order?: 'asc' | 'desc';
}

/** The part of a history that a query asks for. */
export function rangeOf({ cursor, limit = USUAL_PAGE, order, from, to }: HistoryQuery) {
  return { cursor, limit, order, from: instantOf(from), to: instantOf(to) };
}

function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}

export class AsOfQuery {
  @Says(
    'The instant to read. Before the unit existed the answer is 404. For a future instant it is what the calendar makes of the present facts and policy, if nothing is written until then.',
  )
  @IsTimestamp()
  at!: string;
}

/** A page covers 100 units of the location, so it may hold few people or none. */
export class EntryPointAsOfQuery {
  @Says('The instant to read. If the location did not have the entry point then, the answer is 404.')
  @IsTimestamp()
  at!: string;

  @IsCursor() cursor?: string;
}
