import type { OperatorRole, TokenScope } from '#kernel/principals.js';
import { capitalized, SCOPE_TEXTS } from '../parts/labels.js';
import { countText } from '../parts/words.js';
import type { Change } from './change-subject.js';

/** What an event of {@link Change} says beside its name, of what belongs to a company as a whole. */
const RESULTS: Readonly<Record<string, (data: Change['data']) => string>> = {
  ApiTokenIssued: ({ scope }) => SCOPE_TEXTS[scope as TokenScope],
  OperatorAdded: (data) => rightsText(data),
  OperatorChanged: (data) => changedRightsText(data),
  OperatorOfSitesAdded: (data) => rightsText(data),
  OperatorOfSitesChanged: (data) => changedRightsText(data),
  OperatorSignOnLinked: ({ by }) => LINKED_TEXTS[by as string] ?? '',
  PullSourceChanged: (data) => fieldsText(data, SOURCE_FIELDS),
  WebhookChanged: (data) => fieldsText(data, WEBHOOK_FIELDS),
};

/** Undefined for any other event. */
export function staffResultText({ type, data }: Pick<Change, 'type' | 'data'>): string | undefined {
  return Object.hasOwn(RESULTS, type) ? RESULTS[type]!(data) : undefined;
}

const LINKED_TEXTS: Readonly<Record<string, string>> = {
  invitation: 'By invitation',
  admin: 'By an admin',
  email: 'By e-mail',
};

const SWITCH = 'on or off';
const SOURCE_FIELDS: Readonly<Record<string, string>> = {
  url: 'address',
  auth_header: 'credential',
  interval_seconds: 'time between runs',
  enabled: SWITCH,
};
const WEBHOOK_FIELDS: Readonly<Record<string, string>> = {
  url: 'address',
  types: 'events',
  description: 'what it is for',
  enabled: SWITCH,
};
const OPERATOR_FIELDS: Readonly<Record<string, string>> = { email: 'e-mail', disabled: 'may sign in' };

/** What an operator has beside rights. */
const OF_PERSON: ReadonlySet<string> = new Set(['email', 'password']);

/** `Address, events` */
function fieldsText({ fields }: Change['data'], texts: Readonly<Record<string, string>>): string {
  return capitalized((fields as readonly string[]).map((name) => texts[name] ?? name).join(', '));
}

/** `Password`, `Role, sites: now Manager, 2 sites` */
function changedRightsText(data: Change['data']): string {
  const fields = fieldsText(data, OPERATOR_FIELDS);
  const isOfRights = (data['fields'] as readonly string[]).some((name) => !OF_PERSON.has(name));
  return isOfRights ? `${fields}: now ${rightsText(data)}` : fields;
}

/** `Manager, 2 sites` */
function rightsText({ role, companies, sites, disabled }: Change['data']): string {
  const places = sites === undefined ? placesText(companies as readonly string[] | null) : sitesText(sites);
  return [capitalized(role as OperatorRole), places, ...(disabled === true ? ['cannot sign in'] : [])].join(
    ', ',
  );
}

/** An operator may have rights elsewhere, of which a reader here is not told. */
function placesText(companies: readonly string[] | null): string {
  if (companies?.length === 0) return 'no rights here';
  return companies === null ? 'all companies' : countText(companies.length, 'company', 'companies');
}

function sitesText(sites: Change['data'][string]): string {
  const { length } = sites as readonly unknown[];
  return length === 0 ? 'no rights here' : countText(length, 'site');
}
