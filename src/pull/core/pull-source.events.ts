/**
 * Storage format: add, never change. An event says that a URL or a credential changed, and never its value: the query of a URL
 * may hold a credential, too. The values are in the source's record.
 */
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';

/** The settings of a pull source whose values are in the log. */
export interface PullSourceTerms {
  readonly name: string;
  readonly interval_seconds: number;
  readonly enabled: boolean;
}

/** The fields of a source that an operator sets. */
export type PullSourceField = keyof PullSourceTerms | 'url' | 'auth_header' | 'mapping';

/** The data of each event, by its type. */
export interface PullSourceEvents {
  readonly PullSourceAdded: PullSourceTerms & {
    readonly pull_source_id: string;
    readonly company_id: string;
  };
  /** `fields` names what changed. The terms are those after the change. */
  readonly PullSourceChanged: PullSourceTerms & { readonly fields: readonly PullSourceField[] };
  /** An operator asked for a run. */
  readonly PullRunRequested: { readonly run_id: string };
}

export type PullSourceEvent = EventOf<PullSourceEvents>;

export const PULL_SOURCE_CATEGORY = 'pull';

/** Every type with the schema it is written with. */
export const PULL_SOURCE_EVENT_TYPES: Readonly<Record<PullSourceEvent['type'], EventType>> = {
  PullSourceAdded: { schema: 1 },
  PullSourceChanged: { schema: 1 },
  PullRunRequested: { schema: 1 },
};

export function pullSourceStream(pull_source_id: string): string {
  return `${PULL_SOURCE_CATEGORY}-${pull_source_id}`;
}
