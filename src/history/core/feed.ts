import { AMOUNT_FACTS } from '../../units/core/fact-catalogue.js';
import type { JsonObject } from '../../log/event-store.js';

/** Fields of stored events that are integer cents, and those that are milliseconds since the epoch. */
const AMOUNTS: ReadonlySet<string> = new Set([...AMOUNT_FACTS, 'balance_threshold']);
const INSTANTS: ReadonlySet<string> = new Set(['expires_at', 'occurred_at', 'recorded_at', 'at']);
/** Fields that belong to the service alone. */
const LEFT_OUT: ReadonlySet<string> = new Set(['client_log_hash', 'company_id']);

/** An event's data as the API shows it: amounts as decimal numbers, instants as timestamps. */
export function presentData(data: JsonObject, timestamp: (instant: number) => string): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(data)) {
    if (LEFT_OUT.has(name)) continue;
    if (typeof value === 'number' && AMOUNTS.has(name)) shown[name] = value / 100;
    else if (typeof value === 'number' && INSTANTS.has(name)) shown[name] = timestamp(value);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      shown[name] = presentData(value, timestamp);
    else shown[name] = value;
  }
  return shown;
}
