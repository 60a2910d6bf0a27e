import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import { CHECKS } from './checks.js';
import { ENTRY_POINT_CHECKS, type EntryPointReason } from './entry-point.js';
import type { AccessReason, AccessState, CheckName } from './decision.js';

/** The answer of `GET /api/v2/access-policy`: how every decision is made. Amounts are decimal numbers here. */
interface AccessPolicyTable {
  /** Grows when the order or the meaning of a check changes. */
  readonly version: number;
  readonly checks: readonly PublishedCheck[];
  readonly parameters: readonly PolicyParameter[];
  /** The checks of an entry point. The first that matches denies; if none does, it permits. */
  readonly entry_point_checks: readonly PublishedEntryPointCheck[];
}

interface PublishedEntryPointCheck {
  readonly name: EntryPointReason;
  /** The condition, as an English sentence. */
  readonly when: string;
}

/** Clients identify a check by its name, not by its position in the list. */
interface PublishedCheck {
  readonly name: CheckName;
  /** The condition, as an English sentence. */
  readonly when: string;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
}

/** A field of a location's policy, with its type and limits. */
interface PolicyParameter {
  readonly name: keyof LocationPolicy;
  readonly type: 'integer' | 'number' | 'boolean' | 'string';
  readonly default: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** All allowed values, if there are few. */
  readonly values?: readonly string[];
  readonly description: string;
}

const CENTS = 100;

const PARAMETERS: readonly PolicyParameter[] = [
  {
    name: 'grace_period_days',
    type: 'integer',
    default: DEFAULT_POLICY.grace_period_days,
    minimum: 0,
    maximum: 90,
    description: 'Whole calendar days after paid_through_date during which a balance does not deny access.',
  },
  {
    name: 'balance_threshold',
    type: 'number',
    default: DEFAULT_POLICY.balance_threshold / CENTS,
    minimum: 0,
    maximum: 9_999_999_999.99,
    description: 'Only a balance_due above this amount denies access.',
  },
  {
    name: 'blanket_delinquency',
    type: 'boolean',
    default: DEFAULT_POLICY.blanket_delinquency,
    description: 'Whether a past-due unit denies access to the other units of its tenant at the location.',
  },
  {
    name: 'delinquency_mode',
    type: 'string',
    default: DEFAULT_POLICY.delinquency_mode,
    values: ['automatic', 'pms_flag_only'],
    description:
      'automatic counts days and balances; pms_flag_only leaves delinquency to the flags of the PMS, so that the checks delinquent and blanket_delinquency never match.',
  },
  {
    name: 'timezone',
    type: 'string',
    default: DEFAULT_POLICY.timezone,
    description: 'IANA time zone of the location. A day begins at the first valid instant of its date there.',
  },
];

/** `checks` is made from the table that decides, so the two cannot differ. */
export const ACCESS_POLICY_TABLE: AccessPolicyTable = {
  version: 1,
  checks: CHECKS.map(({ name, when, state, reason }) => ({ name, when, state, reason })),
  parameters: PARAMETERS,
  entry_point_checks: ENTRY_POINT_CHECKS.map(({ name, when }) => ({ name, when })),
};
