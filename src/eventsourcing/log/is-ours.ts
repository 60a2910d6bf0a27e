import type { RecordedEvent } from './event-store.js';

/** True if the service wrote the event: its mark is the number of its data's format. */
export function isOurs({ metadata }: Pick<RecordedEvent, 'metadata'>): boolean {
  const schema = metadata['schema'];
  return Number.isSafeInteger(schema) && (schema as number) > 0;
}
