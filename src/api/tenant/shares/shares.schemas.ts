import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';

const { location_id, name, timezone, unit_id, unit_name } = field;
const { flag, id, instant, list, named, nullable, object, oneOf, says, text, whole } = schema;

const share_id = says("The service's identifier of the share, from the invitation on.", id);
const until = says('Instant at which the share ends by itself.', instant);
const accept_by = says('Instant from which nobody accepts the invitation any more.', instant);

export const OFFERED_SHARE_SCHEMA = named(
  'OfferedShare',
  object({
    share_id,
    code: says(
      'Six digits to tell the person, not in a text. The list of shares shows them until the invitation is accepted. Null in an answer that an `Idempotency-Key` replays.',
      nullable(text),
    ),
    until,
    accept_by,
    text_sent: says(
      'Whether the person got a text that invites. If not, say that they sign in with their number.',
      flag,
    ),
  }),
);

const GIVEN_SHARE = named(
  'GivenShare',
  object({
    share_id,
    unit_id,
    unit_name,
    name: says('As the tenant has typed it. Null after an erasure.', nullable(text)),
    state: says(
      '`offered` until the person enters the code, then `accepted`. `locked` after five wrong codes: offer it again.',
      oneOf(['offered', 'locked', 'accepted']),
    ),
    until: says(
      'Instant at which the share ends by itself. Null if staff have taken its end away.',
      nullable(instant),
    ),
    accept_by: says('As in the answer to the invitation. Null once it is accepted.', nullable(instant)),
    code: says('The code to tell the person. Null unless the state is `offered`.', nullable(text)),
  }),
);

const RECEIVED_INVITATION = named(
  'ReceivedInvitation',
  object({
    share_id,
    location: says('Where the unit is.', object({ id: location_id, name, timezone })),
    until,
    accept_by,
    tries_left: says('How many wrong codes may still be entered.', whole),
  }),
);

/** What the tenant shares, and is invited to. */
export const TENANT_SHARES_SCHEMA = named(
  'TenantShares',
  object({
    shares: says('What the tenant shares by itself, invitations included.', list(GIVEN_SHARE)),
    invitations: says(
      'What others offer. It tells the place alone until the code is entered.',
      list(RECEIVED_INVITATION),
    ),
  }),
);

export const ACCEPTED_SHARE_SCHEMA = named(
  'AcceptedShare',
  object({
    share_id,
    unit_id,
    until: says(
      'Instant at which the share ends by itself. Null if staff have taken its end away.',
      nullable(instant),
    ),
  }),
);

export const ENDED_SHARE_SCHEMA = named('EndedShare', object({ share_id }));
