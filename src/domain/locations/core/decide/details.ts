import { sameHours } from '../hours/access-hours.js';
import type { LocationCommandFields } from '../location.commands.js';
import type { LocationEvent } from '../location.events.js';
import type { LocationDetails } from '../location.state.js';
import { differences } from './decision.js';

/** The details that a `ChangeLocation` may change. */
type Settings = Pick<
  LocationDetails,
  'name' | 'policy' | 'access_hours' | 'contact' | 'currency' | 'notices' | 'tenant_sharing'
>;

/** The details after a change. Absent fields stay. */
export function detailsAfter(
  details: Settings,
  {
    name,
    policy,
    access_hours,
    contact,
    currency,
    notices,
    tenant_sharing,
  }: LocationCommandFields['ChangeLocation'],
): Settings {
  return {
    name: name ?? details.name,
    policy: { ...details.policy, ...differences(details.policy, policy ?? {}) },
    access_hours: access_hours === undefined ? details.access_hours : access_hours,
    contact: { ...details.contact, ...differences(details.contact, contact ?? {}) },
    currency: currency ?? details.currency,
    notices: { ...details.notices, ...differences(details.notices, notices ?? {}) },
    tenant_sharing: tenant_sharing ?? details.tenant_sharing,
  };
}

/** An event for each detail that differs. @param at milliseconds */
export function detailsEvents(before: Settings, after: Settings, at: number): LocationEvent[] {
  const { name, policy, access_hours, currency, notices, tenant_sharing } = after;
  const { payment_url, ...reached } = after.contact;
  const events: LocationEvent[] = [];
  if (name !== before.name) events.push({ type: 'LocationRenamed', data: { name } });
  if (differences(before.policy, policy) !== undefined)
    events.push({ type: 'LocationPolicyChanged', data: { policy } });
  if (!sameHours(access_hours, before.access_hours))
    events.push({ type: 'LocationHoursChanged', data: { access_hours } });
  if (differences(before.contact, reached) !== undefined)
    events.push({ type: 'LocationContactChanged', data: reached });
  if (payment_url !== before.contact.payment_url)
    events.push({ type: 'LocationPaymentUrlChanged', data: { payment_url } });
  if (currency !== before.currency) events.push({ type: 'LocationCurrencyChanged', data: { currency } });
  if (differences(before.notices, notices) !== undefined)
    events.push({ type: 'LocationNoticesChanged', data: { notices, at } });
  if (tenant_sharing !== before.tenant_sharing)
    events.push({ type: 'LocationTenantSharingChanged', data: { tenant_sharing } });
  return events;
}
