import type { StaffStreams } from '#domain/history/index.js';
import {
  PULL_SOURCE_CATEGORY,
  PULL_SOURCE_EVENT_TYPES,
  type PullSourceEvent,
} from './core/pull-source.events.js';

const TERMS = ['name', 'interval_seconds', 'enabled'] as const;

const FIELDS = {
  PullRunRequested: ['run_id'],
  PullSourceAdded: TERMS,
  PullSourceChanged: ['fields', ...TERMS],
} as const satisfies {
  readonly [Type in PullSourceEvent['type']]: readonly (keyof Extract<
    PullSourceEvent,
    { readonly type: Type }
  >['data'])[];
};

/** What staff did with pull sources. */
export const PULL_STAFF_STREAMS: StaffStreams = {
  category: PULL_SOURCE_CATEGORY,
  types: PULL_SOURCE_EVENT_TYPES,
  fields: FIELDS,
  async companiesOf(_, readUpTo) {
    const [added] = await readUpTo();
    const company_id = added?.data['company_id'];
    return typeof company_id === 'string' ? [company_id] : [];
  },
  subjectOf: ({ stream }) => ({
    kind: 'pull_source',
    pull_source_id: stream.slice(PULL_SOURCE_CATEGORY.length + 1),
  }),
};
