import { decodeEvent } from '#eventsourcing/log/codec.js';
import type { StaffStreams } from '#domain/history/index.js';
import { concernedCompanies } from './core/concerned-companies.js';
import { grantedWithin } from './core/granted-within.js';
import { evolveOperator, type OperatorState } from './core/operator.decide.js';
import { OPERATOR_CATEGORY, OPERATOR_EVENT_TYPES, type OperatorEvent } from './core/operator.events.js';

/** What people do when they sign in, what the command line does, and what is an operator's own matter. */
type NotTold =
  | 'OperatorPasswordAllowed'
  | 'OperatorRecoveryCodeUsed'
  | 'OperatorSignedOn'
  | 'OperatorSignOnRefused'
  | 'OperatorSummarySwitched';

const RIGHTS = ['role', 'companies', 'disabled'] as const;

const FIELDS = {
  OperatorAdded: RIGHTS,
  OperatorChanged: ['fields', ...RIGHTS],
  OperatorInvitationAccepted: [],
  OperatorInvitationWithdrawn: [],
  OperatorInvited: ['expires_at'],
  OperatorOfSitesAdded: [...RIGHTS, 'sites'],
  OperatorOfSitesChanged: ['fields', ...RIGHTS, 'sites'],
  OperatorRemoved: [],
  OperatorSecondFactorRemoved: [],
  OperatorSecondFactorSet: [],
  OperatorSessionsEnded: [],
  OperatorSignOnLinked: ['by'],
  OperatorSignOnUnlinked: [],
} as const satisfies {
  readonly [Type in Exclude<OperatorEvent['type'], NotTold>]: readonly (keyof Extract<
    OperatorEvent,
    { readonly type: Type }
  >['data'])[];
};

/** What staff did with operators: whom it let in, with which rights, and whom no more. */
export const OPERATOR_STAFF_STREAMS: StaffStreams = {
  category: OPERATOR_CATEGORY,
  types: OPERATOR_EVENT_TYPES,
  fields: FIELDS,
  async companiesOf(_, readUpTo) {
    let before: OperatorState | undefined;
    let after: OperatorState | undefined;
    for (const event of await readUpTo()) {
      before = after;
      after = evolveOperator(after, decodeEvent<OperatorEvent>(OPERATOR_EVENT_TYPES, event));
    }
    // The stream is damaged, so nobody knows whom it concerns.
    return after === undefined ? [] : concernedCompanies(before, after);
  },
  subjectOf: ({ stream }) => ({
    kind: 'operator',
    operator_id: stream.slice(OPERATOR_CATEGORY.length + 1),
  }),
  narrowed: grantedWithin,
};
