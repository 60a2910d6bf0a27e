import { ACCESS_CATEGORY, ACCESS_EVENT_TYPES, accessStream } from '#domain/access/core/access.events.js';
import {
  COMPANY_CATEGORY,
  COMPANY_EVENT_TYPES,
  companyStream,
} from '#domain/companies/core/company.events.js';
import {
  LOCATION_CATEGORY,
  LOCATION_EVENT_TYPES,
  locationStream,
} from '#domain/locations/core/location.events.js';
import { ACTIVITY_EVENT_TYPES, entryPointStream, lockStream } from '#domain/locks/core/activity.events.js';
import {
  OPERATOR_CATEGORY,
  OPERATOR_EVENT_TYPES,
  operatorStream,
} from '#domain/operators/core/operator.events.js';
import {
  PULL_SOURCE_CATEGORY,
  PULL_SOURCE_EVENT_TYPES,
  pullSourceStream,
} from '#pull/core/pull-source.events.js';
import { PASS_CATEGORY, PASS_EVENT_TYPES, passStream } from '#domain/passes/core/pass.events.js';
import { TENANT_CATEGORY, TENANT_EVENT_TYPES, tenantStream } from '#domain/tenants/core/tenant.events.js';
import { UNIT_EVENT_TYPES } from '#domain/units/core/unit.events.js';

/** Formats in existing logs: add, never change. */
const SCHEMAS = {
  CompanyRegistered: 1,
  ApiTokenIssued: 1,
  ApiTokenRevoked: 1,
  WebhookAdded: 1,
  WebhookChanged: 1,
  WebhookRemoved: 1,
  WebhookSecretRotated: 1,
  LocationAdded: 1,
  LocationOpened: 1,
  LocationRenamed: 1,
  LocationPolicyChanged: 1,
  LocationHoursChanged: 1,
  LocationContactChanged: 1,
  LocationPaymentUrlChanged: 1,
  LocationCurrencyChanged: 1,
  LocationNoticesChanged: 1,
  LocationTenantSharingChanged: 1,
  ZoneAdded: 1,
  ZoneRenamed: 1,
  ZoneRemoved: 1,
  UnitZoned: 1,
  UnitUnzoned: 1,
  EntryPointAdded: 1,
  EntryPointChanged: 1,
  EntryPointHoursChanged: 1,
  EntryPointKeyFormatChanged: 1,
  EntryPointRemoved: 1,
  LockAdded: 1,
  LockAttached: 1,
  LockDetached: 1,
  LockKeyFormatChanged: 1,
  LockRenamed: 1,
  LockRemoved: 1,
  LockProvisioned: 1,
  EntryPointProvisioned: 1,
  LockActivityReported: 2,
  EntryPointActivityReported: 2,
  OperatorAdded: 1,
  OperatorChanged: 1,
  OperatorOfSitesAdded: 1,
  OperatorOfSitesChanged: 1,
  OperatorInvited: 1,
  OperatorInvitationWithdrawn: 1,
  OperatorInvitationAccepted: 1,
  OperatorSignOnLinked: 1,
  OperatorSignOnUnlinked: 1,
  OperatorSignedOn: 1,
  OperatorSignOnRefused: 1,
  OperatorPasswordAllowed: 1,
  OperatorSecondFactorSet: 1,
  OperatorSecondFactorRemoved: 1,
  OperatorRecoveryCodeUsed: 1,
  OperatorSessionsEnded: 1,
  OperatorRemoved: 1,
  OperatorSummarySwitched: 1,
  PassIssued: 1,
  PassChanged: 1,
  PassEnded: 1,
  PullSourceAdded: 1,
  PullSourceChanged: 1,
  PullRunRequested: 1,
  SandboxClockAdvanced: 1,
  SandboxCompanyRegistered: 1,
  TenantDetailsChanged: 1,
  TenantErased: 1,
  TenantSessionsEnded: 1,
  TenantNotified: 1,
  TenantCalled: 1,
  TenantCallTakenBack: 1,
  UnitRegistered: 1,
  UnitRenamed: 1,
  TenantMovedIn: 1,
  TenantMovedOut: 1,
  UnitFactsChanged: 1,
  AccessBaseline: 1,
  AccessChanged: 1,
  AccessOverridden: 1,
  AccessOverrideCleared: 1,
  UnitShared: 2,
  UnitShareOffered: 1,
  UnitShareCodeRefused: 1,
  UnitShareAccepted: 1,
  UnitShareOfferEnded: 1,
  UnitShareEnded: 1,
  RoundTheClockGranted: 1,
  RoundTheClockEnded: 1,
  TenantTransferredIn: 1,
  TenantTransferredOut: 1,
  UnitRetired: 1,
  UnitRevived: 1,
};

const TYPES = {
  ...COMPANY_EVENT_TYPES,
  ...LOCATION_EVENT_TYPES,
  ...ACTIVITY_EVENT_TYPES,
  ...OPERATOR_EVENT_TYPES,
  ...PASS_EVENT_TYPES,
  ...PULL_SOURCE_EVENT_TYPES,
  ...TENANT_EVENT_TYPES,
  ...UNIT_EVENT_TYPES,
  ...ACCESS_EVENT_TYPES,
};

describe('the log as it is stored', () => {
  it('has these types, each with the schema that is written', () => {
    const schemas = Object.entries(TYPES).map(([type, { schema }]) => [type, schema]);
    expect(Object.fromEntries(schemas)).toEqual(SCHEMAS);
  });

  it('has these streams', () => {
    const streams = [companyStream, locationStream, lockStream, entryPointStream, operatorStream];
    streams.push(pullSourceStream, tenantStream);
    expect(streams.map((stream) => stream('1'))).toEqual([
      'company-1',
      'location-1',
      'lock-1',
      'entry-point-1',
      'operator-1',
      'pull-1',
      'tenant-1',
    ]);
    expect([PASS_CATEGORY, passStream('1')]).toEqual(['pass', 'pass-1']);
    expect([ACCESS_CATEGORY, accessStream('c', 'u')]).toEqual(['access', 'access-c.u']);
    const categories = [COMPANY_CATEGORY, LOCATION_CATEGORY, OPERATOR_CATEGORY, PULL_SOURCE_CATEGORY];
    expect([...categories, TENANT_CATEGORY]).toEqual(['company', 'location', 'operator', 'pull', 'tenant']);
  });
});
