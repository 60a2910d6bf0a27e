import { shiftDetails, shiftErrors, joinResults } from './core/bulk-result.js';
import type { BulkEntry, BulkResult } from './routes.js';
import { isServiceError, ServiceError } from './service.error.js';

/** The most entries of one request. */
export const UNITS_PER_REQUEST = 500;

/** Sends one request. `number` counts from 1. */
export type SendPart = (units: BulkEntry[], number: number) => Promise<BulkResult>;

/**
 * Sends any number of entries in several requests, as if they were one bulk. Reads entries only when they are sent.
 *
 * @returns undefined if there are no entries
 * @throws ServiceError of the refused request: paths count entries of the whole bulk, `synced` has the earlier results
 */
export async function syncInParts(
  units: Iterable<BulkEntry> | AsyncIterable<BulkEntry>,
  send: SendPart,
): Promise<BulkResult | undefined> {
  let result: BulkResult | undefined;
  let number = 0;
  for await (const part of partsOf(units)) {
    try {
      result = joinResults(result, await send(part, ++number));
    } catch (error) {
      throw isServiceError(error) ? withWholeIndexes(error, result) : error;
    }
  }
  return result;
}

function withWholeIndexes(error: ServiceError, before: BulkResult | undefined): ServiceError {
  const { status, code, message, hint, request_id, retry_after } = error;
  const sent = before?.total ?? 0;
  const errors = shiftErrors(error.errors, sent);
  const details = shiftDetails(error.details, sent);
  const fields = { status, code, message, hint, request_id, retry_after, errors, details };
  return new ServiceError({ ...fields, synced: before ?? null });
}

async function* partsOf(units: Iterable<BulkEntry> | AsyncIterable<BulkEntry>): AsyncGenerator<BulkEntry[]> {
  let part: BulkEntry[] = [];
  for await (const unit of units) {
    part.push(unit);
    if (part.length < UNITS_PER_REQUEST) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
