import { presentPolicy } from '#domain/access/index.js';
import { toTimestamp, timestampOrNull } from '#kernel/timestamp.js';
import type {
  ListedApiToken,
  RejectedBulk,
  CompanyClocks,
  CompanyDocument,
} from '#domain/companies/index.js';
import { presentSandbox } from '#api/shapes/index.js';
import { toCents } from '#kernel/money.js';
import type {
  Described,
  EntryPointState,
  LocationDetails,
  LocationPolicy,
  LockState,
  ZoneState,
} from '#domain/locations/index.js';
import type { PolicyFields } from './facility.dto.js';
import { timeZoneNamed } from './time-zone.js';

type ShownCompany = Pick<CompanyDocument, 'company_id' | 'name' | 'created_at' | 'ahead_seconds'>;

/** A company as the operator API shows it. */
export function companyAnswer(company: ShownCompany, clocks: CompanyClocks) {
  const { company_id, name, created_at } = company;
  return { company_id, name, created_at: toTimestamp(created_at), ...presentSandbox(company, clocks) };
}

/** A location as the operator API shows it. The threshold is a decimal amount there. */
export function locationAnswer(location: Described<LocationDetails>) {
  const { location_id, company_id, pms_location_code, name, policy, ...settings } = location;
  const { access_hours, contact, currency, notices, tenant_sharing } = settings;
  const shown = { ...presentPolicy(policy), access_hours, contact, currency, notices, tenant_sharing };
  return { location_id, company_id, pms_location_code, name, ...shown };
}

export function zoneAnswer({ zone_id, location_id, name }: Described<ZoneState>) {
  return { zone_id, location_id, name };
}

export function entryPointAnswer(entryPoint: Described<EntryPointState>) {
  const { entry_point_id, location_id, name, kind, zone_ids, in_service, hours, key_format } = entryPoint;
  return { entry_point_id, location_id, name, kind, zone_ids, in_service, hours, key_format };
}

export function lockAnswer({
  lock_id,
  location_id,
  name,
  serial,
  key_format,
  unit_id,
}: Described<LockState>) {
  return { lock_id, location_id, name, serial, key_format, unit_id };
}

/** An API token without its value. */
export function apiTokenAnswer(token: ListedApiToken) {
  const { token_id, name, scope, created_at, expires_at, revoked_at, last_used_at, last_rejected_bulk } =
    token;
  return {
    token_id,
    name,
    scope,
    created_at: toTimestamp(created_at),
    expires_at: timestampOrNull(expires_at),
    revoked_at: timestampOrNull(revoked_at),
    last_used_at: timestampOrNull(last_used_at),
    last_rejected_bulk: last_rejected_bulk === undefined ? null : rejectedBulkAnswer(last_rejected_bulk),
  };
}

export function rejectedBulkAnswer({ at, ...bulk }: RejectedBulk) {
  return { at: toTimestamp(at), ...bulk };
}

/** The policy fields that a body names. The threshold is in cents. */
export function policyOf(body: PolicyFields): Partial<LocationPolicy> {
  const { timezone, grace_period_days, balance_threshold, blanket_delinquency, delinquency_mode } = body;
  return {
    ...(timezone === undefined ? {} : { timezone: timeZoneNamed(timezone)! }),
    ...(grace_period_days === undefined ? {} : { grace_period_days }),
    ...(balance_threshold === undefined ? {} : { balance_threshold: toCents(balance_threshold) }),
    ...(blanket_delinquency === undefined ? {} : { blanket_delinquency }),
    ...(delinquency_mode === undefined ? {} : { delinquency_mode }),
  };
}
