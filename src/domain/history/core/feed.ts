import { AMOUNT_FACTS } from '#domain/units/core/fact-catalogue.js';
import { isObject } from '#kernel/core/is-object.js';
import type { JsonObject } from '#eventsourcing/log/event-store.js';

/** Fields of stored events in integer cents. */
const AMOUNTS: ReadonlySet<string> = new Set([...AMOUNT_FACTS, 'balance_threshold']);
/** Fields of stored events in milliseconds since the epoch. */
const INSTANTS: ReadonlySet<string> = new Set([
  'expires_at',
  'occurred_at',
  'recorded_at',
  'at',
  'effective_at',
  'valid_until',
  'until',
  'from',
]);
/** Internal fields. */
const LEFT_OUT: ReadonlySet<string> = new Set(['client_log_hash', 'company_id']);

/** An event's data as the API shows it, with decimal amounts and with timestamps. */
export function presentData(data: JsonObject, timestamp: (instant: number) => string): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(data)) {
    if (LEFT_OUT.has(name)) continue;
    if (typeof value === 'number' && AMOUNTS.has(name)) shown[name] = value / 100;
    else if (typeof value === 'number' && INSTANTS.has(name)) shown[name] = timestamp(value);
    else if (isObject(value)) shown[name] = presentData(value, timestamp);
    else shown[name] = value;
  }
  return shown;
}
