import type { Decided } from '#eventsourcing/writing/aggregate.js';
import type { PullSourceEvent, PullSourceField, PullSourceTerms } from './pull-source.events.js';

/** The state that a pull source's events come to. */
export interface PullSourceState extends PullSourceTerms {
  /** The last run that an operator asked for. */
  readonly requested_run_id: string | null;
}

export type PullSourceCommand =
  | {
      readonly type: 'AddPullSource';
      readonly pull_source_id: string;
      readonly company_id: string;
      readonly terms: PullSourceTerms;
    }
  | {
      readonly type: 'ChangePullSource';
      readonly terms: PullSourceTerms;
      /** The changed settings whose values are not stored in the log. */
      readonly settings: readonly Exclude<PullSourceField, keyof PullSourceTerms>[];
    }
  | { readonly type: 'RequestPullRun'; readonly run_id: string };

export function evolvePullSource(
  state: PullSourceState | undefined,
  event: PullSourceEvent,
): PullSourceState {
  switch (event.type) {
    case 'PullSourceAdded':
      return { ...termsOf(event.data), requested_run_id: null };
    case 'PullSourceChanged':
      return { ...state!, ...termsOf(event.data) };
    case 'PullRunRequested':
      return { ...state!, requested_run_id: event.data.run_id };
  }
}

/** Decides a command. Pure. */
export function decidePullSource(
  state: PullSourceState | undefined,
  command: PullSourceCommand,
): Decided<PullSourceEvent, undefined, never> {
  switch (command.type) {
    case 'AddPullSource': {
      if (state !== undefined) return { events: [], result: undefined };
      const { pull_source_id, company_id, terms } = command;
      const data = { pull_source_id, company_id, ...termsOf(terms) };
      return { events: [{ type: 'PullSourceAdded', data }], result: undefined };
    }
    case 'ChangePullSource': {
      const terms = termsOf(command.terms);
      const fields = [...command.settings, ...(state === undefined ? [] : differing(state, terms))];
      if (fields.length === 0) return { events: [], result: undefined };
      return { events: [{ type: 'PullSourceChanged', data: { fields, ...terms } }], result: undefined };
    }
    case 'RequestPullRun': {
      const { run_id } = command;
      if (state?.requested_run_id === run_id) return { events: [], result: undefined };
      return { events: [{ type: 'PullRunRequested', data: { run_id } }], result: undefined };
    }
  }
}

function differing(before: PullSourceTerms, after: PullSourceTerms): (keyof PullSourceTerms)[] {
  const terms = ['name', 'interval_seconds', 'enabled'] as const;
  return terms.filter((term) => before[term] !== after[term]);
}

export function termsOf({ name, interval_seconds, enabled }: PullSourceTerms): PullSourceTerms {
  return { name, interval_seconds, enabled };
}
