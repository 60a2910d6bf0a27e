import type { TokenScope } from '#kernel/principals.js';
import type { AccessState, CheckName } from '#domain/access/index.js';
import { labelOf } from '#web/validation/decorators.js';
import type { LocationPolicy } from '#domain/locations/index.js';
import { MAPPED_FIELDS } from '#pull/index.js';
import { FACT_NAMES, type FactName, factOf, OVERRIDES, type SourceType } from '#domain/units/index.js';

export const STATE_TEXTS: Readonly<Record<AccessState, string>> = {
  tenant_permitted: 'Open',
  tenant_denied: 'Locked out',
  vacant: 'Vacant',
  auction: 'Auction',
  unrentable: 'Not for rent',
};

/** Names of checks. Most are the names of reasons too. */
const CHECK_TEXTS: Readonly<Record<CheckName, string>> = {
  auction: 'in auction',
  unrentable: 'not for rent',
  vacant: 'vacant',
  system_lockout: OVERRIDES.lockout.label,
  system_exempt: OVERRIDES.exempt.label,
  future_move_in: 'not moved in yet',
  pms_exempt: 'exempt in PMS',
  pms_lockout: 'locked by PMS',
  delinquent: 'past due',
  blanket_delinquency: 'owes on another unit',
  active: 'nothing against it',
};

/** A check or a reason as people say it. */
export function reasonText(reason: string): string {
  return textIn(CHECK_TEXTS, reason);
}

type UnitField = 'unit_id' | 'crm_unit_id' | 'unit_name' | 'source_type' | 'tenant_id' | 'retired';
type Field = keyof LocationPolicy | 'override' | 'today' | UnitField;

/** Facts that are called otherwise than in forms, and fields that are no facts. */
const OWN_TEXTS: Readonly<Partial<Record<FactName, string>> & Record<Field, string>> = {
  occupied: 'rented',
  pms_tenant_id: 'tenant in the PMS',
  move_in_date: 'lease begins',
  balance_due: 'balance',
  pms_lockout: 'locked by PMS',
  pms_lock_exempt: 'exempt in PMS',
  pms_status_raw: 'status in the PMS',
  ledger_id: 'account in the PMS',
  timezone: 'time zone',
  grace_period_days: 'days of grace',
  balance_threshold: 'ignore balances up to',
  blanket_delinquency: 'lock all the tenant’s units here',
  delinquency_mode: 'locks by',
  override: 'set by staff',
  today: 'date there',
  unit_id: 'id in this service',
  crm_unit_id: 'unit id in the PMS',
  unit_name: 'name',
  source_type: 'source',
  tenant_id: 'tenant',
  retired: 'retired',
};
const FIELD_TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FACT_NAMES.map((name) => [name, factOf(name).label.toLowerCase()])),
  ...OWN_TEXTS,
};

/** A field as people call it. */
export function fieldText(name: string): string {
  return textIn(FIELD_TEXTS, name);
}

/** Fields of a PMS feed that have other names there. */
const FEED_TEXTS: Readonly<Record<string, string>> = {
  unit_name: 'unit name',
  pms_location_code: 'location code',
  move_in_date: 'lease start',
  pms_tenant_id: 'tenant id',
  tenant: 'tenant (all details)',
  'tenant.pms_tenant_id': 'tenant id (inside the tenant’s details)',
  'tenant.first_name': 'first name',
  'tenant.last_name': 'last name',
  'tenant.email': 'e-mail',
  'tenant.phone': 'phone',
};

/** A field of a PMS feed in words. */
export function feedFieldText(field: string): string {
  return FEED_TEXTS[field] ?? fieldText(field);
}

const REJECTION = /^(?:units\.\d\S*: )?The (.+?) field (.+)$/s;

/** Why a row of a feed or a push was rejected. Names fields as the dashboard does. */
export function rejectionText(error: string): string {
  return error
    .split(/\s(?=units\.\d\S*: )/)
    .map(faultText)
    .join(' ');
}

/** The rejection of a row without its location. */
export const NO_LOCATION_CODE = 'Your feed has no location code.';

const UNKNOWN_CODE = 'The selected pms location code is invalid.';

const MANAGED_ELSEWHERE = /This unit is managed by a \w+-mode PMS integration/;

const NO_SUCH_LOCATION = 'No site has the location code that your feed gives.';

/** A field's name in a sentence. */
const briefly = (field: string) => feedFieldText(field).split(' (')[0]!;

function faultText(error: string): string {
  if (error.includes(UNKNOWN_CODE)) return NO_SUCH_LOCATION;
  if (MANAGED_ELSEWHERE.test(error)) return 'Another source manages the unit.';
  const [, name, fault = ''] = REJECTION.exec(error) ?? [];
  const field = MAPPED_FIELDS.find((one) => labelOf(one) === name);
  if (field === undefined) return error;
  const text = briefly(field);
  if (fault.includes('occupied is false'))
    return `“${capitalized(text)}” is filled in, though the unit is vacant. Clear it in the PMS, or ask for a list that leaves it empty for vacant units.`;
  if (!fault.startsWith('is required')) return `“${capitalized(text)}” ${fault}`;
  const whose = fault.includes('occupied is true') ? ' for a rented unit' : '';
  return MISSING_TEXTS[field] ?? `The row has no ${text}${whose}.`;
}

/** One row may lack a field that others have. Without a location code, the whole feed lacks it. */
const MISSING_TEXTS: Readonly<Record<string, string>> = {
  pms_location_code: NO_LOCATION_CODE,
  occupied: 'The row does not say whether the unit is rented.',
};

/** Events with names of their own. */
const EVENT_TEXTS: Readonly<Record<string, string>> = {
  AccessOverridden: 'Access set by staff',
  AccessOverrideCleared: 'What staff set taken back',
  ApiTokenIssued: 'API token created',
  ApiTokenRevoked: 'API token deleted',
  EntryPointActivityReported: 'Gate activity',
  EntryPointAdded: 'Gate added',
  EntryPointChanged: 'Gate changed',
  EntryPointHoursChanged: 'Gate hours changed',
  EntryPointKeyFormatChanged: 'Key format of a gate changed',
  EntryPointRemoved: 'Gate removed',
  LockActivityReported: 'Lock activity',
  LocationNoticesChanged: 'Texts to tenants changed',
  LocationPaymentUrlChanged: 'Payment link changed',
  LocationTenantSharingChanged: 'Sharing by tenants changed',
  OperatorInvitationAccepted: 'Invitation of an operator accepted',
  OperatorInvitationWithdrawn: 'Invitation of an operator withdrawn',
  OperatorOfSitesAdded: 'Operator of some sites added',
  OperatorOfSitesChanged: 'Operator of some sites changed',
  OperatorSecondFactorRemoved: 'Second factor of an operator removed',
  OperatorSecondFactorSet: 'Second factor of an operator set',
  OperatorSessionsEnded: 'Operator signed out everywhere',
  OperatorSignOnLinked: 'Operator linked to single sign-on',
  OperatorSignOnUnlinked: 'Operator unlinked from single sign-on',
  PullRunRequested: 'PMS sync started by hand',
  PullSourceAdded: 'PMS sync added',
  PullSourceChanged: 'PMS sync changed',
  SandboxCompanyRegistered: 'Sandbox added',
  UnitFactsChanged: 'PMS data changed',
  UnitRegistered: 'Unit added',
  UnitShareAccepted: 'Invitation accepted',
  UnitShareCodeRefused: 'Wrong code for an invitation',
  UnitShareOffered: 'Person invited to share',
  UnitShareOfferEnded: 'Invitation ended',
  UnitUnzoned: 'Unit removed from zone',
  UnitZoned: 'Unit added to zone',
  WebhookRemoved: 'Webhook deleted',
  WebhookSecretRotated: 'New secret of a webhook',
};

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Words of events that people say otherwise. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  'entry point': 'gate',
  registered: 'added',
  location: 'site',
};

/** An event as people call it: `TenantMovedIn` as `Tenant moved in`. */
export function eventText(type: string): string {
  if (Object.hasOwn(EVENT_TEXTS, type)) return EVENT_TEXTS[type]!;
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return capitalized(words.replaceAll(/entry point|registered|location/g, (word) => EVENT_WORDS[word]!));
}

export const SCOPE_TEXTS: Readonly<Record<TokenScope, string>> = {
  write: 'Read and write',
  read: 'Read only',
};

interface Actor {
  readonly kind: 'api_token' | 'operator' | 'pull' | 'tenant' | 'system';
  readonly id: string;
  readonly name?: string | null;
}

const ACTOR_TEXTS: Readonly<Record<Exclude<Actor['kind'], 'system'>, string>> = {
  api_token: 'API token',
  operator: 'operator',
  pull: 'PMS sync',
  tenant: 'tenant',
};

/** The author of an event, by name if it is known. */
export function actorName({ kind, id, name }: Actor): string {
  return kind === 'system' ? 'the service' : `${ACTOR_TEXTS[kind]} ${name ?? id}`;
}

/** The author of an event, an operator by the name alone. */
export function staffName(actor: Actor): string {
  return actor.kind === 'operator' ? (actor.name ?? actor.id) : actorName(actor);
}

type Mode = LocationPolicy['delinquency_mode'];

export const MODE_TEXTS: Readonly<Record<Mode, string>> = {
  automatic: 'Balance and PMS flags',
  pms_flag_only: 'PMS flags only',
};

export const SOURCE_TEXTS: Readonly<Record<SourceType, string>> = {
  push: 'The PMS sends it',
  pull: 'Fetched from the PMS',
  standalone: 'This dashboard',
};

const OVERRIDE_TEXTS = Object.fromEntries(
  Object.entries(OVERRIDES).map(([value, { label }]) => [value, label]),
);
const VALUE_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  override: OVERRIDE_TEXTS,
  delinquency_mode: MODE_TEXTS,
  source_type: SOURCE_TEXTS,
};

/** A value that is a code, in words; any other stays as it is. */
export function codeText(name: string, value: string): string {
  return VALUE_TEXTS[name]?.[value] ?? value;
}

/** A code without words of its own loses its underscores. */
function textIn(texts: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(texts, code) ? texts[code]! : code.replaceAll('_', ' ');
}
