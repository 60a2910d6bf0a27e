import { localText } from '#dashboard/parts/words.js';
import { keysStillOpenText, sentenceOf, type SentenceUnit } from '#dashboard/units/sentence.js';
import { messageOf } from '#dashboard/units/tenant-message.js';
import { endAt } from '#dashboard/units/override-forms.js';

const unit = (
  access: Partial<SentenceUnit['access']>,
  balance_due = 319,
): SentenceUnit & { unit_name: string } => ({
  unit_id: 'u',
  crm_unit_id: 'H-110',
  unit_name: 'H-110',
  source_type: 'push',
  facts: { balance_due, paid_through_date: null, move_in_date: '2026-02-01' },
  access: {
    ...{ state: 'tenant_denied', reason: 'pms_lockout', also: [], resolution: null, valid_until: null },
    ...access,
  },
  location: { timezone: 'America/Chicago', currency: 'USD', name: 'Lake Street' },
});

it('says all that a door needs to open, each need once, with the amount', () => {
  expect(sentenceOf(unit({ also: ['delinquent', 'future_move_in'] }))).toMatch(
    /^Locked out by the PMS\. Also: its balance is past due; the lease has not begun\. Opens when the PMS lifts its lockout and \$319\.00 is paid, not before Feb 1, 2026\.$/,
  );
  expect(sentenceOf(unit({}))).toBe('Locked out by the PMS. Opens when the PMS lifts its lockout.');
  const said = unit({});
  expect(sentenceOf({ ...said, facts: { ...said.facts, pms_status_raw: 'LOCKED - bad check' } })).toBe(
    'Locked out by the PMS (“LOCKED - bad check”). Opens when the PMS lifts its lockout.',
  );
  const early = unit({ reason: 'future_move_in' });
  expect(sentenceOf(early)).toBe('Not moved in yet. Opens on Feb 1, 2026.');
  expect(messageOf(early, null)).toBe('Unit H-110 at Lake Street is not open yet. It opens on Feb 1, 2026.');
});

it('names the other units that owe, and not the unit itself', () => {
  const resolution = ['H-110', 'B-2'].map((crm_unit_id) => ({ crm_unit_id, field: 'balance_due' }));
  expect(sentenceOf(unit({ reason: 'blanket_delinquency', resolution }))).toBe(
    'Locked out: the tenant is past due on B-2. Opens when the balance of B-2 is paid.',
  );
  const owing = resolution.map((cure, place) => ({ ...cure, amount: 85 + place, unit_name: 'B 2, upper' }));
  expect(sentenceOf(unit({ reason: 'blanket_delinquency', resolution: owing }))).toBe(
    'Locked out: the tenant is past due on B 2, upper. Opens when $86.00 on B 2, upper is paid.',
  );
});

it('has a message to the tenant of a unit that is locked or let in by staff, and of no other', () => {
  const own = { field: 'balance_due', crm_unit_id: 'H-110', amount: 319 };
  expect(messageOf(unit({ reason: 'delinquent', resolution: [own] }), 'Ada Park')).toBe(
    'Hello Ada Park. Unit H-110 at Lake Street is locked. It opens when $319.00 is paid.',
  );
  expect(messageOf(unit({ also: ['delinquent'], resolution: [own] }), null)).toBe(
    'Unit H-110 at Lake Street is locked. It opens when we lift the lockout and $319.00 is paid.',
  );
  expect(messageOf(unit({}, 180), null)).toBe(
    'Unit H-110 at Lake Street is locked. It opens when we lift the lockout. You owe $180.00.',
  );
  expect(messageOf(unit({ state: 'tenant_permitted', reason: 'active' }), 'Ada Park')).toBeNull();
  const letIn = (expires_at: string | null, balance_due: number) => ({
    ...unit({ state: 'tenant_permitted', reason: 'system_exempt' }, balance_due),
    override: { reason: 'Pays by card', expires_at },
  });
  expect(messageOf(letIn('2026-03-02T00:00:00Z', 214.5), 'Ada Park')).toBe(
    'Hello Ada Park. Unit H-110 at Lake Street is open until Mar 1, 2026, 6:00 PM CST. Please pay $214.50 by then.',
  );
  expect(messageOf(letIn(null, 214.5), null)).toBe('Unit H-110 at Lake Street is open. Please pay $214.50.');
  expect(messageOf(letIn(null, 0), null)).toBe('Unit H-110 at Lake Street is open.');
});

const LOCKED = { state: 'tenant_denied', also: [], valid_until: null } as const;

describe('a unit that opens and locks again', () => {
  const own = { crm_unit_id: 'H-110', field: 'balance_due', amount: 64 };
  const other = { ...own, crm_unit_id: 'B-2', amount: 86 };
  const from = '2026-11-28T06:00:00Z';
  const next = { ...LOCKED, reason: 'delinquent', resolution: [own], from } as const;

  it('names both sums, and the last day to pay', () => {
    const locked = { ...unit({ reason: 'blanket_delinquency', resolution: [other] }, 64), next };
    expect(sentenceOf(locked)).toBe(
      'Locked out: the tenant is past due on B-2. Opens when $86.00 on B-2 is paid. Also pay $64.00 by Nov 27, 2026, or it locks again.',
    );
    expect(messageOf(locked, null)).toMatch(
      /locked\. It opens when \$86\.00 on B-2 is paid\. Please also pay \$64\.00 by Nov 27, 2026, or it locks again\.$/,
    );
    const early = { ...unit({ reason: 'future_move_in' }, 64), next };
    expect(messageOf(early, null)).toMatch(
      /on Feb 1, 2026\. Please pay \$64\.00 by Nov 27, 2026, or it locks\.$/,
    );
  });

  it('being let in names every debt that locks it when the override ends', () => {
    const ends = '2026-11-29T00:00:00Z';
    const letIn = {
      ...unit({ state: 'tenant_permitted', reason: 'system_exempt', valid_until: ends }, 64),
      override: { reason: 'Pays by card', expires_at: ends },
      next: { ...next, also: ['blanket_delinquency'], resolution: [own, other], from: ends },
    };
    expect(sentenceOf(letIn)).toMatch(
      /until Nov 28, 2026, 6:00 PM CST\. Locks then unless \$64\.00 is paid and \$86\.00 on B-2 is paid\.$/,
    );
    expect(messageOf(letIn, null)).toMatch(
      /is open until Nov 28, 2026, 6:00 PM CST\. Please pay \$64\.00 and \$86\.00 on B-2 by then\.$/,
    );
  });
});

it.each([
  [
    'auction',
    'pms_auction',
    /^In auction: .* until the PMS ends the auction\. Then it opens when /,
    'in auction',
  ],
  ['unrentable', 'pms_unrentable', /^Not for rent: .* offers it again\. Then it opens when /, 'out of use'],
] as const)('in state %s it says all that is needed, too', (state, field, sentence, news) => {
  const own = { crm_unit_id: 'H-110', amount: 80 };
  const resolution = [field, 'pms_lockout', 'override', 'balance_due'].map((name) => ({
    ...own,
    field: name,
  }));
  const idle = unit({ state, reason: null, resolution }, 80);
  expect(sentenceOf(idle)).toMatch(sentence);
  expect(sentenceOf(idle)).toMatch(
    /when the PMS lifts its lockout and staff lifts its lockout and \$80\.00 is paid\.$/,
  );
  expect(messageOf(idle, null)).toBe(`Unit H-110 at Lake Street is ${news}. You owe $80.00. Please call us.`);
  const free = unit({ state, reason: null, resolution: [{ ...own, field }] }, 0);
  expect(sentenceOf(free)).not.toContain('Then');
  expect(messageOf(free, null)).toBeNull();
});

it('says that a lockout by staff ends by itself', () => {
  const locked = {
    ...unit({ reason: 'system_lockout' }, 0),
    override: { reason: 'Broken door', expires_at: '2026-03-02T00:00:00Z' },
  };
  expect(sentenceOf(locked)).toBe(
    'Locked out by staff (“Broken door”), until Mar 1, 2026, 6:00 PM CST. Opens when the lockout ends or staff lifts it.',
  );
  expect(messageOf(locked, null)).toMatch(/It opens when the lockout ends on Mar 1, 2026, 6:00 PM CST\.$/);
});

it('says on which day an open unit locks, and what must be paid until then', () => {
  const open = { state: 'tenant_permitted', reason: 'active', valid_until: '2026-11-29T06:00:00Z' } as const;
  const lockedBy = (reason: 'delinquent' | 'blanket_delinquency') => {
    const resolution = [{ crm_unit_id: 'B-2', field: 'balance_due', amount: 86 }];
    return { ...unit(open, 64), next: { ...LOCKED, reason, resolution, from: open.valid_until } };
  };
  expect(sentenceOf(lockedBy('delinquent'))).toBe('Open. Locks on Nov 29, 2026 unless $64.00 is paid.');
  expect(sentenceOf(lockedBy('blanket_delinquency'))).toBe(
    'Open. Locks on Nov 29, 2026 unless $86.00 on B-2 is paid.',
  );
  expect(messageOf(lockedBy('delinquent'), 'Ada Park')).toBe(
    'Hello Ada Park. Unit H-110 at Lake Street is open. It locks on Nov 29, 2026 unless $64.00 is paid.',
  );
  expect(sentenceOf(unit(open))).toBe('Open. This may change on Nov 29, 2026.');
  expect(messageOf(unit(open), null)).toBeNull();
});

it.each([
  ['2026-01-01T02:00:00Z', 'America/Chicago', '2026-01-01T18:00'],
  ['2026-01-01T02:00:00Z', 'UTC', '2026-01-02T18:00'],
])('an override at %s in %s ends at %s unless told otherwise', (at, zone, end) => {
  expect(localText(Date.parse(endAt('tomorrow', Date.parse(at), zone)), zone)).toBe(end);
});

describe('an open unit that owes', () => {
  const open = (policy: Readonly<Record<string, unknown>>, paid_through_date: string | null) => {
    const looked_at = Object.entries(policy).map(([name, value]) => ({ name, value }));
    const checks = [{ name: 'delinquent', looked_at }];
    const said = unit({ state: 'tenant_permitted', reason: 'active', checks }, 45.5);
    return { ...said, facts: { ...said.facts, paid_through_date } };
  };
  const AUTOMATIC = { delinquency_mode: 'automatic', balance_threshold: 0 };

  it('is said never to lock without a paid-through date, and who sets one', () => {
    const undated = open(AUTOMATIC, null);
    expect(sentenceOf(undated)).toBe(
      'Open. It owes $45.50, which never locks it without a paid-through date. Days late are counted once the PMS sends one.',
    );
    expect(sentenceOf({ ...undated, source_type: 'standalone' })).toMatch(/once staff sets one\.$/);
  });

  it('is said not to lock by a balance that the policy ignores', () => {
    expect(sentenceOf(open({ ...AUTOMATIC, balance_threshold: 50 }, '2025-10-31'))).toBe(
      'Open. It owes $45.50, which does not lock it: up to $50.00 is ignored here.',
    );
  });

  it('is said not to lock where only the PMS locks', () => {
    expect(sentenceOf(open({ ...AUTOMATIC, delinquency_mode: 'pms_flag_only' }, '2025-10-31'))).toBe(
      'Open. It owes $45.50, which does not lock it: here only the PMS locks units.',
    );
  });

  it('says nothing of its debt where the checks are not known', () => {
    expect(sentenceOf(unit({ state: 'tenant_permitted', reason: 'active' }, 45.5))).toBe('Open.');
  });
});

describe('keys that were given out', () => {
  const unit = (state: 'tenant_permitted' | 'tenant_denied', ...ends: (string | null)[]) => ({
    access: { state },
    locks: [{ keys_outstanding: [] }, { keys_outstanding: ends.map((expires_at) => ({ expires_at })) }],
    location: { timezone: 'UTC' },
  });

  it.each([
    [
      'until the last one ends',
      unit('tenant_denied', '2026-01-05T02:00:00.000Z', '2026-01-04T02:00:00.000Z'),
      'A key given out before opens it until Jan 5, 2026, 2:00 AM UTC.',
    ],
    [
      'where an end is not known',
      unit('tenant_denied', '2026-01-05T02:00:00.000Z', null),
      'A key given out before may still open it.',
    ],
    ['where there are none', unit('tenant_denied'), ''],
    ['where the unit is open', unit('tenant_permitted', '2026-01-05T02:00:00.000Z'), ''],
  ])('are told of a locked unit %s', (_, of, text) => {
    expect(keysStillOpenText(of)).toBe(text);
  });
});
