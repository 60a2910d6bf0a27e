import { createHash } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { TemporalCalendar } from '#domain/access/calendar.js';
import { evaluate, explain } from '#domain/access/core/policy.js';
import type { DecisionInput } from '#domain/access/core/subject.js';
import { groupBy } from '../statistics.js';
import type { Changes, DecidedUnit, KnownTenant, PeerStore, PeerTenant, Snapshot } from './peer-store.js';
import { decideIntent, type PeerIntent, type PeerOutcome, type PeerUnit } from './peer-unit.js';

/** The requested changes of a unit, with the given details of its tenant. */
export interface PeerWrite extends PeerIntent {
  readonly person?: Partial<Omit<PeerTenant, 'tenant_id'>> & { readonly pms_tenant_id: string };
}

export interface PeerResult {
  readonly unit_id: string;
  readonly change: 'created' | 'updated' | 'unchanged';
  readonly access: DecidedUnit | null;
}

/** An idempotency key, with the hash of the request. */
export interface PeerKey {
  readonly key: string;
  readonly hash: string;
}

/** The key was used for another request. */
export class KeyReusedError extends Error {}

/** A write names a unit that does not exist, and must not make it. */
export class NoUnitError extends Error {}

const POLICY: DecisionInput['policy'] = {
  grace_period_days: 5,
  balance_threshold: 0,
  blanket_delinquency: true,
  delinquency_mode: 'automatic',
  timezone: 'America/New_York',
};
/** PostgreSQL's error codes for a write that conflicts with another one. */
const CONFLICTS = ['23505', '40001', '40P01'];
const MOST_TRIES = 20;

const calendar = new TemporalCalendar();
const newId = monotonicFactory();

export function hashOf(request: object): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** Reads, decides, and writes in one statement. Repeats this if another write came first. */
export class PeerWrites {
  constructor(private readonly store: PeerStore) {}

  /** @throws KeyReusedError, NoUnitError */
  async write(writes: readonly PeerWrite[], key?: PeerKey): Promise<readonly PeerResult[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#tryToWrite(writes, key);
      } catch (error) {
        if (tries === MOST_TRIES || !CONFLICTS.includes((error as { code?: string }).code ?? '')) throw error;
      }
    }
  }

  /** @throws NoUnitError */
  async explain(crm_unit_id: string): Promise<object> {
    const { units, theirs } = await this.store.read([crm_unit_id], []);
    const unit = units[0];
    if (unit === undefined) throw new NoUnitError();
    const input = { unit: subject(unit), siblings: theirs.map(subject), policy: POLICY, now: Date.now() };
    return { ...unit, access: explain(input, calendar) };
  }

  async #tryToWrite(writes: readonly PeerWrite[], key: PeerKey | undefined): Promise<readonly PeerResult[]> {
    const named = writes.flatMap(({ person }) => person?.pms_tenant_id ?? []);
    const ids = writes.map(({ crm_unit_id }) => crm_unit_id);
    const snapshot = await this.store.read(ids, named, key?.key);
    if (snapshot.answered !== null) {
      if (snapshot.answered.hash !== key?.hash) throw new KeyReusedError();
      return snapshot.answered.answer as PeerResult[];
    }
    const { changes, results } = decideAll(writes, snapshot);
    if (changes.units.length > 0 || changes.tenants.length > 0 || key !== undefined) {
      const metadata = { command_id: newId(), occurred_at: Date.now(), actor: 'pms' };
      await this.store.write({ ...changes, metadata, answer: key && { ...key, answer: results } });
    }
    return results;
  }
}

type Decided = {
  readonly changes: Omit<Changes, 'answer' | 'metadata'>;
  readonly results: readonly PeerResult[];
};

function decideAll(writes: readonly PeerWrite[], snapshot: Snapshot): Decided {
  const known = new Map(snapshot.units.map((unit) => [unit.crm_unit_id, unit]));
  const tenants = new Map(snapshot.tenants.map((tenant) => [tenant.pms_tenant_id, tenant]));
  const changedTenants: PeerTenant[] = [];
  const outcomes = writes.map((write) => {
    const tenant =
      write.person === undefined ? undefined : namedTenant(write.person, tenants, changedTenants);
    const before = known.get(write.crm_unit_id);
    if (before === undefined && write.occupied === undefined) throw new NoUnitError();
    return decideIntent(before, write, tenant?.tenant_id, newId);
  });
  const changed = outcomes.filter(({ events }) => events.length > 0);
  const decisions = decideTenants(changed, [...tenants.values()], snapshot, known);
  const decided = new Map(decisions.flatMap(({ units }) => units.map((unit) => [unit.unit_id, unit])));
  const results = outcomes.map(({ unit, events }): PeerResult => {
    const { unit_id } = unit;
    const change = events.length === 0 ? 'unchanged' : known.has(unit.crm_unit_id) ? 'updated' : 'created';
    return { unit_id, change, access: decided.get(unit_id) ?? null };
  });
  return { changes: { tenants: changedTenants, units: changed, decisions }, results };
}

/** The known or new tenant with the given details. Adds the tenant to `changed` if they differ. */
function namedTenant(
  person: NonNullable<PeerWrite['person']>,
  tenants: Map<string, KnownTenant>,
  changed: PeerTenant[],
): KnownTenant {
  const known = tenants.get(person.pms_tenant_id);
  const nobody = { first_name: null, last_name: null, email: null, phone: null, version: 0 };
  const tenant = { ...(known ?? { ...nobody, tenant_id: newId() }), ...stated(person) };
  const names = Object.keys(tenant) as (keyof PeerTenant)[];
  if (names.some((name) => known?.[name] !== tenant[name])) changed.push(tenant);
  tenants.set(person.pms_tenant_id, tenant);
  return tenant;
}

/** Decides all units of each tenant of whom a unit has changed. */
function decideTenants(
  changed: readonly PeerOutcome[],
  tenants: readonly KnownTenant[],
  { theirs }: Snapshot,
  known: ReadonlyMap<string, PeerUnit>,
): Changes['decisions'] {
  const now = Date.now();
  const units = new Map(theirs.map((unit) => [unit.crm_unit_id, unit]));
  const touched = new Set<string | null>();
  for (const { unit } of changed) {
    units.set(unit.crm_unit_id, unit);
    touched.add(unit.tenant_id).add(known.get(unit.crm_unit_id)?.tenant_id ?? null);
  }
  const held = groupBy([...units.values()], ({ tenant_id }) => tenant_id);
  return tenants
    .filter(({ tenant_id }) => touched.has(tenant_id))
    .map(({ tenant_id, version }) => {
      const own = held.get(tenant_id) ?? [];
      const siblings = own.map(subject);
      const decided = own.map((unit): DecidedUnit => {
        const input = { unit: subject(unit), siblings, policy: POLICY, now };
        const { state, reason, valid_until } = evaluate(input, calendar);
        const { unit_id, crm_unit_id, unit_name } = unit;
        return { unit_id, crm_unit_id, unit_name, state, reason, valid_until };
      });
      return { tenant_id, version: version + 1, units: decided };
    });
}

/** The object without undefined fields. */
export function stated<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

function subject({ unit_id, crm_unit_id, facts, set_at }: PeerUnit): DecisionInput['unit'] {
  return { unit_id, crm_unit_id, source_type: 'push', facts, override: null, set_at };
}
