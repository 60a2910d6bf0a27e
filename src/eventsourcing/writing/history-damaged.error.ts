import type { StreamDamage } from '#eventsourcing/log/damaged-streams.js';

/** Somebody damaged the history of the thing that the command would change. Nothing was changed. */
export class HistoryDamagedError extends Error {
  readonly code = 'history_damaged';

  constructor({ stream, revision }: StreamDamage) {
    super(`The history of ${stream} is damaged from revision ${revision} on.`);
  }
}
