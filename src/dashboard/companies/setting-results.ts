import type { LocationContact, LocationNotices, LocationPolicy } from '#domain/locations/index.js';
import { NOTICE_KINDS } from '#domain/notices/index.js';
import { KIND_NAMES, noticeStates } from '../notices/notice-words.js';
import { capitalized, fieldText } from '../parts/labels.js';
import { onText, phoneText, valueText } from '../parts/words.js';
import type { Change } from './change-subject.js';

/** The settings that an event's data name, and their values in words. A setting without a name is the only one. */
type Settings = Readonly<Record<string, string>>;

/** @param currency of the location */
type SettingsOf = (data: Change['data'], currency: string) => Settings;

const ONLY = '';

const SETTINGS: Readonly<Record<string, SettingsOf>> = {
  LocationRenamed: ({ name }) => ({ [ONLY]: name as string }),
  LocationPolicyChanged: ({ policy }, currency) => policyTexts(policy as unknown as LocationPolicy, currency),
  LocationContactChanged: (data) => contactTexts(data as unknown as LocationContact),
  LocationPaymentUrlChanged: ({ payment_url }) => ({ [ONLY]: orNone(payment_url as string | null) }),
  LocationCurrencyChanged: ({ currency }) => ({ [ONLY]: currency as string }),
  LocationNoticesChanged: ({ notices }) => noticeTexts(notices as unknown as LocationNotices),
  LocationTenantSharingChanged: ({ tenant_sharing }) => ({ [ONLY]: onText(tenant_sharing as boolean) }),
};

/**
 * `Days of grace: 5 → 4; Time zone: UTC → America/Chicago`. Undefined for an event that changes no setting of a site.
 * @param currency of the location, for amounts
 */
export function settingResultText(
  { type, data, before }: Pick<Change, 'type' | 'data' | 'before'>,
  currency: string,
): string | undefined {
  if (!Object.hasOwn(SETTINGS, type)) return undefined;
  if (before === undefined) return 'What it was before is not known here';
  const textsOf = SETTINGS[type]!;
  const earlier = textsOf(before, currency);
  return Object.entries(textsOf(data, currency))
    .filter(([name, text]) => earlier[name] !== text)
    .map(([name, text]) => `${name === ONLY ? '' : `${name}: `}${earlier[name]} → ${text}`)
    .join('; ');
}

function policyTexts(policy: LocationPolicy, currency: string): Settings {
  return Object.fromEntries(
    Object.entries(policy).map(([name, value]) => [
      capitalized(fieldText(name)),
      valueText(name, value, currency),
    ]),
  );
}

function contactTexts({ phone, email, address }: LocationContact): Settings {
  return {
    Phone: phone === null ? 'none' : phoneText(phone),
    'E-mail': orNone(email),
    Address: orNone(address),
  };
}

function noticeTexts(notices: LocationNotices): Settings {
  const states = noticeStates(notices);
  return Object.fromEntries(NOTICE_KINDS.map((kind) => [KIND_NAMES[kind], states[kind]]));
}

function orNone(text: string | null): string {
  return text ?? 'none';
}
