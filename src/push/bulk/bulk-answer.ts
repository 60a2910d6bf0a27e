import { type Envelope, envelope } from '../../http/index.js';
import { LARGEST_BULK } from './bulk-entries.js';
import type { BulkResult } from './bulk-sync.js';

/** What one request may ask for. */
export function bulkOptions(dryRun: boolean) {
  return { dryRun, limit: LARGEST_BULK };
}

/** The answer to a bulk upsert (specification §4.1). */
export function answerBulk(result: BulkResult, dryRun: boolean): Envelope<object> {
  const message = result.errors.length === 0 ? 'Sync completed.' : 'Sync completed with errors.';
  return envelope(dryRun ? { ...result, dry_run: true } : result, message);
}
