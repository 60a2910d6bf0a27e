import { detailsInTheWhole, errorsInTheWhole, joined } from './core/bulk-result.js';
import type { BulkEntry, BulkResult } from './routes.js';
import { isServiceError, ServiceError } from './service.error.js';

/** The most entries of one request. */
export const UNITS_PER_REQUEST = 500;

/** Sends one part; `number` counts from 1. */
export type SendPart = (units: BulkEntry[], number: number) => Promise<BulkResult>;

/**
 * Sends any number of entries, part after part, as if they were one bulk. Entries are read as they are sent.
 *
 * @returns undefined where there are none
 * @throws ServiceError by which a part was refused: `errors` and `details` by places in the whole, and in `synced` what the parts before it came to
 */
export async function syncInParts(
  units: Iterable<BulkEntry> | AsyncIterable<BulkEntry>,
  send: SendPart,
): Promise<BulkResult | undefined> {
  let result: BulkResult | undefined;
  let number = 0;
  for await (const part of partsOf(units)) {
    try {
      result = joined(result, await send(part, ++number));
    } catch (error) {
      throw isServiceError(error) ? ofTheWhole(error, result) : error;
    }
  }
  return result;
}

function ofTheWhole(error: ServiceError, before: BulkResult | undefined): ServiceError {
  const { status, code, message, hint, request_id, retry_after } = error;
  const sent = before?.total ?? 0;
  const errors = errorsInTheWhole(error.errors, sent);
  const details = detailsInTheWhole(error.details, sent);
  const told = { status, code, message, hint, request_id, retry_after, errors, details };
  return new ServiceError({ ...told, synced: before ?? null });
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
