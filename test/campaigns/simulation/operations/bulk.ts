import {
  type Arrival,
  CHANGEABLE,
  type Changeable,
  changeFacts,
  empty,
  moveIn,
  revive,
} from '../model/unit-rules.js';
import { without } from '../model/difference.js';
import { type Unit, unitKey, type World } from '../model/world.js';
import type { Random } from '../random.js';
import { operation } from './operation.js';
import {
  anyCompany,
  anyCrmUnitId,
  anyDate,
  anyFacts,
  anyLedger,
  anyTenant,
  AT_OTHER_LOCATION,
  createUnit,
  identityWarnings,
  isPlace,
  MANAGED_ELSEWHERE,
  phoneOf,
  placeOfWrite,
  standingWarnings,
} from './unit-plans.js';

/** One entry as it is sent. */
interface Body extends Changeable {
  readonly crm_unit_id: string;
  readonly occupied: boolean;
  readonly unit_name?: string;
  readonly pms_location_code?: string;
  readonly pms_tenant_id?: string | null;
  readonly tenant?: { pms_tenant_id: string; first_name: string; last_name: string; phone?: string };
  readonly ledger_id?: string | null;
  readonly move_in_date?: string | null;
}

interface Fault {
  readonly field: string;
  readonly code: string;
  readonly text: string;
  readonly hint?: string;
}

interface Entry {
  readonly body: Body;
  /** What is wrong with it, after its path; undefined where nothing is. */
  readonly fault?: readonly Fault[];
}

interface Args {
  readonly company: number;
  readonly entries: readonly Entry[];
  readonly dry_run?: true;
}

/** The answer for a refused entry. */
interface Refused {
  readonly error: string;
  readonly code: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly details?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
}

type Outcome = 'created' | 'updated' | 'unchanged' | 'undecided' | Refused;

function planEntry(world: World, random: Random, company: number, crm_unit_id: string): Entry {
  const known = world.units.get(unitKey(company, crm_unit_id));
  const code =
    known !== undefined && random.chance(0.8)
      ? random.pick([known.place, undefined])
      : random.pick([...world.companies[company]!.places.map(({ code }) => code), undefined, 'NOWHERE']);
  const identity = {
    crm_unit_id,
    ...(random.chance(0.2) ? { unit_name: `Unit ${random.below(3)}` } : {}),
    ...(code === undefined || (code === 'NOWHERE' && random.chance(0.7)) ? {} : { pms_location_code: code }),
  };
  const entry = random.chance(0.7)
    ? occupied(world.nowOf(company), random, identity)
    : vacant(random, identity);
  return random.chance(0.1) ? spoiled(random, entry) : { body: entry };
}

type Identity = Pick<Body, 'crm_unit_id' | 'unit_name' | 'pms_location_code'>;

function occupied(now: number, random: Random, identity: Identity): Body {
  const pms_tenant_id = anyTenant(random);
  const phone = phoneOf(pms_tenant_id);
  const person = {
    pms_tenant_id,
    first_name: 'Tess',
    last_name: pms_tenant_id,
    ...(phone === undefined ? {} : { phone }),
  };
  const ledger_id = anyLedger(random);
  return {
    ...identity,
    occupied: true,
    ...(random.chance(0.5) ? { pms_tenant_id } : { tenant: person }),
    ...(ledger_id === undefined ? {} : { ledger_id }),
    move_in_date: anyDate(now, random, -40, 3),
    ...(random.chance(0.7) ? anyFacts(now, random) : {}),
  };
}

function vacant(random: Random, identity: Identity): Body {
  return {
    ...identity,
    occupied: false,
    ...(random.chance(0.2) ? { pms_unrentable: random.chance(0.5) } : {}),
    ...(random.chance(0.2) ? { pms_status_raw: 'empty' } : {}),
    ...(random.chance(0.2) ? { balance_due: 0, paid_through_date: null, pms_tenant_id: null } : {}),
  };
}

function spoiled(random: Random, body: Body): Entry {
  const entry = (changed: object, ...faults: readonly (readonly [string, string, string])[]): Entry => ({
    body: changed as Body,
    fault: faults.map(([field, code, text]) => {
      return { field, code, text: `The ${field.replaceAll('_', ' ')} field ${text}` };
    }),
  });
  const faults = [
    entry({ ...body, foo: 1 }, ['foo', 'not_allowed', 'is not allowed.']),
    entry({ ...body, pms_lockout: 'yes' }, ['pms_lockout', 'type', 'must be true or false.']),
  ];
  if (!body.occupied) return random.pick(faults);
  const required = 'is required when occupied is true';
  faults.push(
    entry(
      without(body, 'tenant', 'pms_tenant_id'),
      ['tenant', 'required', `${required}.`],
      ['pms_tenant_id', 'required', `${required} and no tenant is given.`],
    ),
    entry(without(body, 'move_in_date'), ['move_in_date', 'required', `${required}.`]),
    entry({ ...body, move_in_date: '2026-02-30' }, [
      'move_in_date',
      'format',
      'must be a valid date in the format YYYY-MM-DD.',
    ]),
  );
  return random.pick(faults);
}

function sync(world: World, company: number, { body, fault }: Entry, path: string): [Outcome, string[]] {
  if (fault !== undefined) {
    return [invalid(path, fault), []];
  }
  const { crm_unit_id, unit_name, pms_location_code } = body;
  const known = world.units.get(unitKey(company, crm_unit_id));
  if (known !== undefined && known.source !== 'push') {
    return [{ error: MANAGED_ELSEWHERE.message!, code: 'unit_managed_elsewhere' }, []];
  }
  const place = placeOfWrite(world, company, known, pms_location_code);
  if (!isPlace(place)) {
    const texts = place.errors!['pms_location_code']!;
    return [
      invalid(
        path,
        texts.map((text) => ({
          field: 'pms_location_code',
          code: codeOf(text),
          text,
          ...(text === AT_OTHER_LOCATION ? { hint: hintOf(known!) } : {}),
        })),
      ),
      [],
    ];
  }
  const unit = known ?? createUnit(world, { company, crm_unit_id, name: unit_name }, place, 'push');
  const before = unit.events;
  const warnings = known === undefined ? [] : identityWarnings(known, body);
  warnings.push(...revive(unit), ...applyEntry(world, unit, body));
  if (known === undefined) return ['created', warnings];
  return [unit.events > before ? 'updated' : withoutEvents(body), warnings];
}

function codeOf(text: string): string {
  if (text === AT_OTHER_LOCATION) return 'unit_at_other_location';
  return text.includes('is required') ? 'required' : 'unknown_value';
}

function hintOf({ place }: Unit): string {
  return `The company has one unit of this identifier, at ${place}. If you mean another unit, put the site before the identifier.`;
}

function withoutEvents({ tenant }: Body): Outcome {
  return tenant === undefined ? 'unchanged' : 'undecided';
}

function invalid(path: string, faults: readonly Fault[]): Refused {
  const errors: Record<string, string[]> = {};
  for (const { field, text } of faults) (errors[`${path}.${field}`] ??= []).push(text);
  const error = faults.map(({ field, text }) => `${path}.${field}: ${text}`).join(' ');
  const details = faults.map(({ field, text, code, ...hint }) => {
    return { field: `${path}.${field}`, code, message: text, ...hint };
  });
  return { error, code: 'validation_failed', errors, details };
}

function applyEntry(world: World, unit: Unit, body: Body): string[] {
  const warnings: string[] = [];
  const facts = Object.fromEntries(
    CHANGEABLE.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  ) as Changeable;
  if (body.occupied) {
    const pms_tenant_id = (body.tenant?.pms_tenant_id ?? body.pms_tenant_id)!;
    const arrival: Arrival = { pms_tenant_id, move_in_date: body.move_in_date!, ledger_id: body.ledger_id };
    warnings.push(...moveIn(unit, arrival, facts));
    const account = world.account(unit.company, unit.place, pms_tenant_id);
    if (account.erased && body.tenant !== undefined) {
      warnings.push('personal_data_suppressed');
    } else if (body.tenant !== undefined) {
      account.name = `${body.tenant.first_name} ${body.tenant.last_name}`;
      account.phone = body.tenant.phone ?? account.phone;
      account.unsure = false;
    }
    changeFacts(unit, facts);
  } else {
    warnings.push(...empty(unit, facts));
  }
  return [...warnings, ...standingWarnings(world, unit, facts)];
}

/** PATCH /units */
export const pushBulk = operation<Args>({
  name: 'bulk',
  weight: 8,
  keyed: true,
  plan(world, random) {
    const company = anyCompany(world, random);
    const wanted = random.chance(0.3) ? random.between(1, 3) : random.between(1, 30);
    const ids = new Set(Array.from({ length: wanted }, () => anyBulkId(random)));
    const entries = [...ids].map((crm_unit_id) => planEntry(world, random, company, crm_unit_id));
    return { company, entries, ...(random.chance(0.1) ? { dry_run: true } : {}) };
  },
  planFor(world, random, key) {
    const [company, crm_unit_id] = [Number(key[0]), key.slice(2)];
    return { company, entries: [planEntry(world, random, company, crm_unit_id)] };
  },
  units: ({ company, entries }) => entries.map(({ body }) => unitKey(company, body.crm_unit_id)),
  call: ({ company, entries, dry_run }, world) => ({
    method: 'PATCH',
    path: `/api/v2/units${dry_run ? '?dry_run=true' : ''}`,
    token: world.companies[company]!.token,
    body: { units: entries.map(({ body }) => body) },
  }),
  expect({ company, entries }, world, only) {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    const errors: (Refused & { crm_unit_id: string })[] = [];
    const warnings: string[] = [];
    let undecided = 0;
    entries.forEach((entry, place) => {
      const { crm_unit_id } = entry.body;
      if (only?.has(unitKey(company, crm_unit_id)) === false) return;
      const [outcome, told] = sync(world, company, entry, `units.${place}`);
      warnings.push(...told);
      if (outcome === 'undecided') undecided += 1;
      if (typeof outcome === 'string') counts[outcome === 'undecided' ? 'unchanged' : outcome] += 1;
      else errors.push({ crm_unit_id, ...outcome });
    });
    return {
      status: 200,
      message: errors.length === 0 ? 'Sync completed.' : 'Sync completed with errors.',
      data: { total: entries.length, ...counts, errors },
      undecided,
      warnings,
    };
  },
  unsure({ company, entries }, world) {
    for (const { body } of entries) {
      if (body.tenant === undefined) continue;
      for (const { code } of world.companies[company]!.places) {
        const account = world.account(company, code, body.tenant.pms_tenant_id);
        account.unsure = !account.erased;
      }
    }
  },
});

/** Most units are those of the other operations; some come up in bulks only. */
function anyBulkId(random: Random): string {
  return random.chance(0.6) ? anyCrmUnitId(random) : `bulk-${random.below(12)}`;
}
