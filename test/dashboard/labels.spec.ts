import { CHECKS } from '#domain/access/core/checks.js';
import { ACCESS_REASONS, ACCESS_STATES } from '#domain/access/index.js';
import { DEFAULT_POLICY } from '#domain/locations/index.js';
import { activityText } from '#dashboard/activity/activity-text.js';
import {
  codeText,
  fieldText,
  MODE_TEXTS,
  reasonText,
  rejectionText,
  STATE_TEXTS,
} from '#dashboard/parts/labels.js';
import { predicateText, stateText } from '#dashboard/parts/states.js';
import { FACT_NAMES, OVERRIDE_VALUES } from '#domain/units/index.js';

/** `pms_lockout`, and the same without its underscores. */
const isRaw = (code: string, text: string) => text === code || text === code.replaceAll('_', ' ');
/** Codes that people say as well. */
const SAID = ['vacant', 'override', 'auction', 'retired'];

it('calls every state, check, fact and setting by words of people', () => {
  const checks = CHECKS.map(({ name }) => [name, reasonText(name)]);
  const states = ACCESS_STATES.map((state) => [state, STATE_TEXTS[state]]);
  const fields = [...FACT_NAMES, ...Object.keys(DEFAULT_POLICY), 'today', 'crm_unit_id', 'source_type'];
  const codes = [...checks, ...states, ...fields.map((name) => [name, fieldText(name)])] as [
    string,
    string,
  ][];
  const told = codes.filter(([code, text]) => isRaw(code, text) && !SAID.includes(code));
  expect(told.map(([code]) => code)).toEqual([]);
});

it('has words for every value that is a code', () => {
  for (const value of OVERRIDE_VALUES) expect(codeText('override', value)).toMatch(/ by staff$/);
  for (const mode of Object.keys(MODE_TEXTS)) expect(codeText('delinquency_mode', mode)).toContain('PMS');
  expect(codeText('pms_status_raw', 'lockout')).toBe('lockout');
});

it.each([
  ['tenant_permitted', 'active', 'Open'],
  ['tenant_permitted', 'system_exempt', 'Open: let in by staff'],
  ['tenant_denied', 'blanket_delinquency', 'Locked out: owes on another unit'],
  ['tenant_denied', 'future_move_in', 'Not moved in yet'],
  ['vacant', null, 'Vacant'],
] as const)('tells %s for %s as “%s”', (state, reason, text) => {
  expect(stateText({ state, reason })).toBe(text);
});

it.each([
  ['tenant_permitted', 'active', 'is open'],
  ['tenant_denied', 'pms_lockout', 'is locked out by PMS'],
  ['tenant_denied', 'future_move_in', 'does not open before the lease begins'],
  ['auction', null, 'is in auction'],
  ['unrentable', null, 'is not for rent'],
] as const)('says in a sentence of %s for %s that it %s', (state, reason, text) => {
  expect(predicateText({ state, reason })).toBe(text);
});

it('tells a reason of a later version without underscores', () => {
  expect(reasonText('to_string')).toBe('to string');
  expect(ACCESS_REASONS.map(reasonText).join()).not.toContain('_');
});

it.each([
  ['units.1.pms_location_code: The pms location code field is required.', 'Your feed has no location code.'],
  ['The balance due field must be a number.', '“Balance” must be a number.'],
  [
    'units.0.tenant: The tenant field is required when occupied is true. units.0.paid_through_date: The paid through date field must be a date.',
    'The row has no tenant for a rented unit. “Paid through” must be a date.',
  ],
  [
    'units.3.paid_through_date: The paid through date field must be null when occupied is false. Leave it out for a vacant unit.',
    '“Paid through” is filled in, though the unit is vacant. Clear it in the PMS, or ask for a list that leaves it empty for vacant units.',
  ],
  ['Another location has this unit.', 'Another location has this unit.'],
  [
    'This unit is managed by a push-mode PMS integration. Please contact support.',
    'Another source manages the unit.',
  ],
])('tells why a row was rejected: %s', (error, text) => {
  expect(rejectionText(error)).toBe(text);
});

it.each([['units.0.pms_tenant_id: The pms tenant id field is required.', 'The row has no tenant id.']])(
  'names the field of a feed as the choice of fields does: %s',
  (error, text) => {
    expect(rejectionText(error)).toBe(text);
  },
);

/** With a pattern that is not linear it would not end. */
it('tells why a row was rejected of which the message is long', () => {
  const error = `no units.${'1'.repeat(1_000_000)}`;
  expect(rejectionText(error)).toBe(error);
});

it('says why a lock refused, and nothing more where its app gives no reason', () => {
  const refused = (failure_code: string) =>
    activityText({ event: 'unlock', result: 'failure', failure_code });
  expect(['access_denied', 'key_expired'].map(refused)).toEqual(['Denied', 'Denied: key expired']);
});
