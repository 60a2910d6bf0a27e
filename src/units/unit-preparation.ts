import type { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import type { DocumentWrite } from '../documents/document-store.js';
import type { LocationDirectory, LocationDocument, LocationPolicy } from '../locations/index.js';
import {
  accountId,
  accountInsert,
  type TenantAccount,
  type TenantAccounts,
  type TenantDetails,
  type TenantKey,
} from '../tenants/index.js';
import type { OpenStream, Prepared, PreparedCommand, WriteClock } from '../writing/command-run.js';
import type { Arrival, NewUnitLocation, UnitCommand } from './core/unit.commands.js';
import type { UnitState } from './core/unit.state.js';
import type { StatedPerson, UnitWrite, Writer } from './unit-write.js';

export interface PreparationPorts {
  readonly locations: LocationDirectory;
  readonly accounts: TenantAccounts;
  readonly clocks: CompanyClocks;
  readonly ids: Ids;
}

/** The tenant who arrives by one write. */
interface ArrivingTenant {
  /** The account's id, or its key if the account must be looked up. */
  readonly tenant: string | TenantKey;
  readonly person: TenantDetails | undefined;
}

/** An account that does not exist yet. It is stored with the first events that name it. */
interface NewAccount {
  readonly account: TenantAccount;
  readonly insert: DocumentWrite;
}

/** Ids of the unit and the tenancy that a write may create. */
type NewIds = Pick<Arrival, 'tenancy_id'> & { readonly unit_id: string };

/** Resolves the PMS's identifiers in one run: makes commands of writes. */
export class UnitPreparation {
  /** By write. Made once, although a conflict makes the run decide again. */
  readonly #newIds: NewIds[] = [];
  /** The company's locations. Read together with the units if a write names a location's code. */
  readonly #namedLocations: Promise<readonly LocationDocument[]> | undefined;
  readonly #arrivals: (ArrivingTenant | undefined)[];
  readonly #newAccounts = new Map<string, NewAccount>();
  /** By location. Undefined if no write sets facts. Rejects with a StoreUnavailableError. */
  policies: Promise<ReadonlyMap<string, LocationPolicy>> | undefined;
  /** True for the first attempt: an account may be assumed to be new, because its insert would be refused otherwise. */
  #mayAssumeNew: boolean;

  constructor(
    private readonly ports: PreparationPorts,
    private readonly writer: Writer,
    private readonly writes: readonly UnitWrite[],
    dryRun = false,
  ) {
    this.#mayAssumeNew = !dryRun;
    this.#arrivals = new Array<undefined>(writes.length).fill(undefined);
    if (writes.some((write) => write.location_id === undefined && write.pms_location_code !== undefined)) {
      this.#namedLocations = ports.locations.locationsOfCompany(writer.company_id);
      // Awaited only after the units were read. If that fails, nobody awaits this promise.
      this.#namedLocations.catch(() => undefined);
    }
  }

  /** @throws StoreUnavailableError */
  async prepare(open: readonly OpenStream<UnitState>[]): Promise<Prepared<UnitCommand>> {
    const [clock, locations] = await Promise.all([
      this.ports.clocks.of(this.writer.company_id),
      this.#locations(open),
    ]);
    const newUnitLocations = open.map(({ index }) => newUnitLocation(this.writes[index]!, locations));
    this.#readPolicies(open, newUnitLocations, locations);
    for (const [position, { index, state }] of open.entries())
      this.#arrivals[index] = arrivingTenant(
        this.writer,
        this.writes[index]!,
        state,
        newUnitLocations[position]!,
      );
    const { persons, contradicting } = agreedPersons(this.#arrivals);
    const stored = await this.#storedAccounts(open);
    const commands = open.map(({ index }, position): PreparedCommand<UnitCommand> => {
      const { tenant_id, account } = this.#tenantOf(index, stored, persons, clock);
      const names = {
        location: newUnitLocations[position]!,
        tenant_id,
        contradicts: contradicting.has(index),
      };
      return { command: this.#command(index, names), account };
    });
    return { clock, commands };
  }

  /** The new accounts of these tenants, by `_id`. */
  createdOf(tenant_ids: ReadonlySet<string | undefined>): ReadonlyMap<string, TenantAccount> {
    const stored = [...this.#newAccounts].filter(([, { account }]) => tenant_ids.has(account.tenant_id));
    return new Map(stored.map(([id, { account }]) => [id, account]));
  }

  /** The company's locations, if a write names a code or may create a unit. */
  #locations(open: readonly OpenStream<UnitState>[]): Promise<readonly LocationDocument[]> | undefined {
    if (this.#namedLocations !== undefined) return this.#namedLocations;
    const isNeeded = open.some(({ index, state }) => {
      const { kind, location_id } = this.writes[index]!;
      return state === undefined && location_id === undefined && (kind === 'move_in' || kind === 'sync');
    });
    return isNeeded ? this.ports.locations.locationsOfCompany(this.writer.company_id) : undefined;
  }

  #readPolicies(
    open: readonly OpenStream<UnitState>[],
    newUnitLocations: readonly NewUnitLocation[],
    known: readonly LocationDocument[] = [],
  ): void {
    const named = new Set<string>();
    for (const [position, { index, state }] of open.entries()) {
      const location_id = state?.location_id ?? knownLocation(newUnitLocations[position]!);
      if (location_id !== undefined && namesFacts(this.writes[index]!)) named.add(location_id);
    }
    if (named.size === 0) return;
    this.policies = this.#policiesOf(named, known, this.policies);
    // Awaited after the append. If that fails, nobody awaits this promise.
    this.policies.catch(() => undefined);
  }

  async #policiesOf(
    location_ids: ReadonlySet<string>,
    known: readonly LocationDocument[],
    earlier?: Promise<ReadonlyMap<string, LocationPolicy>>,
  ): Promise<ReadonlyMap<string, LocationPolicy>> {
    const missing = [...location_ids].filter((id) => !known.some(({ _id }) => _id === id));
    const read = missing.length === 0 ? [] : await this.ports.locations.locations(missing);
    const policies = new Map(earlier && (await earlier));
    for (const location of [...known, ...read])
      if (location !== undefined) policies.set(location._id, location.policy);
    return policies;
  }

  /** The stored accounts of arriving tenants, by `_id`. */
  async #storedAccounts(open: readonly OpenStream<UnitState>[]): Promise<ReadonlyMap<string, TenantAccount>> {
    const unknown = new Map<string, TenantKey>();
    for (const { index } of open) {
      const tenant = this.#arrivals[index]?.tenant;
      if (typeof tenant === 'object') unknown.set(accountId(tenant), tenant);
    }
    const mayAssumeNew = this.#mayAssumeNew;
    this.#mayAssumeNew = false;
    if (unknown.size === 0) return new Map();
    const { accounts } = this.ports;
    const keys = [...unknown.values()];
    const found = await (mayAssumeNew ? accounts.findOrAssumeNew(keys) : accounts.find(keys));
    return new Map(found.flatMap((account) => (account === undefined ? [] : [[account._id, account]])));
  }

  /** The id of the arriving tenant, and the insert if the account is new. */
  #tenantOf(
    index: number,
    stored: ReadonlyMap<string, TenantAccount>,
    persons: ReadonlyMap<string, TenantDetails>,
    clock: WriteClock,
  ): { readonly tenant_id: string; readonly account: DocumentWrite | undefined } {
    const tenant = this.#arrivals[index]?.tenant;
    // No account is needed: nobody arrives, the tenant is known, or the write will be refused.
    if (typeof tenant !== 'object') return { tenant_id: tenant ?? '', account: undefined };
    const id = accountId(tenant);
    const known = stored.get(id);
    const made = this.#newAccounts.get(id);
    if (known === undefined) {
      const { account, insert } = made ?? this.#newAccount(id, tenant, persons.get(id), clock);
      return { tenant_id: account.tenant_id, account: insert };
    }
    if (made?.account.tenant_id !== known.tenant_id) this.#newAccounts.delete(id);
    return { tenant_id: known.tenant_id, account: undefined };
  }

  #newAccount(id: string, key: TenantKey, person: TenantDetails | undefined, clock: WriteClock): NewAccount {
    const account = this.ports.accounts.newAccount(key, clock.now(), person);
    const made = { account, insert: accountInsert(account) };
    this.#newAccounts.set(id, made);
    return made;
  }

  #command(
    index: number,
    names: { readonly location: NewUnitLocation; readonly tenant_id: string; readonly contradicts: boolean },
  ): UnitCommand {
    const { kind, crm_unit_id, unit_name, facts = {}, arrival: stated, snapshot_at } = this.writes[index]!;
    const { company_id, source } = this.writer;
    const { location, tenant_id, contradicts } = names;
    if (kind === 'move_out') return { kind, source };
    if (kind === 'change_facts') return { kind, source, facts };
    const { ids } = this.ports;
    const { unit_id, tenancy_id } = (this.#newIds[index] ??= { unit_id: ids.ulid(), tenancy_id: ids.ulid() });
    const registration = { company_id, crm_unit_id, unit_id, unit_name, location };
    if (kind === 'register') return { kind, source, registration };
    const arrival = stated && {
      tenant_id,
      contradicts,
      pms_tenant_id: stated.pms_tenant_id,
      move_in_date: stated.move_in_date,
      ledger_id: stated.ledger_id,
      tenancy_id,
    };
    if (kind === 'move_in') return { kind, source, registration, arrival: arrival! };
    return { kind, source, registration, arrival: arrival ?? null, facts, snapshot_at };
  }
}

export function namesFacts({ facts = {} }: UnitWrite): boolean {
  return Object.keys(facts).length > 0;
}

/** Undefined if the write names no tenant, or will be refused for its location or source. */
function arrivingTenant(
  { company_id, source }: Writer,
  { arrival }: UnitWrite,
  unit: UnitState | undefined,
  location: NewUnitLocation,
): ArrivingTenant | undefined {
  const location_id = unit === undefined ? knownLocation(location) : unit.location_id;
  if (arrival === undefined || location_id === undefined) return undefined;
  if (unit !== undefined && unit.source_type !== source) return undefined;
  const { pms_tenant_id, person } = arrival;
  const key = { company_id, location_id, pms_tenant_id };
  return { tenant: presentTenant(unit, pms_tenant_id) ?? key, person: person && detailsOf(key, person) };
}

/** The unit's tenant, if it has this `pms_tenant_id`. A location never gives the same one to another tenant. */
function presentTenant(unit: UnitState | undefined, pms_tenant_id: string): string | undefined {
  return unit?.facts.pms_tenant_id === pms_tenant_id ? unit.tenancy?.tenant_id : undefined;
}

function knownLocation(location: NewUnitLocation): string | undefined {
  return location.kind === 'known' ? location.location_id : undefined;
}

/** @param locations all locations of the company; undefined if they were not needed */
function newUnitLocation(
  { location_id, pms_location_code: code }: UnitWrite,
  locations: readonly LocationDocument[] | undefined,
): NewUnitLocation {
  const given = location_id !== undefined || code !== undefined;
  const found = location_id ?? locationNamed(code, locations)?._id;
  if (found !== undefined) return { kind: 'known', location_id: found, given };
  if (locations?.length === 0) return { kind: 'no_locations' };
  return { kind: given ? 'unknown' : 'none' };
}

/** The location with a code. Without a code: the only location of the company. */
function locationNamed(
  code: string | undefined,
  locations: readonly LocationDocument[] = [],
): LocationDocument | undefined {
  if (code !== undefined) return locations.find(({ pms_location_code }) => pms_location_code === code);
  return locations.length === 1 ? locations[0] : undefined;
}

export function detailsOf(
  key: TenantKey,
  { first_name, last_name, email, phone }: StatedPerson,
): TenantDetails {
  return { key, name: `${first_name} ${last_name}`, email, phone };
}

/** The personal details that the writes agree on, by account; and the indexes of writes that contradict an earlier one. */
function agreedPersons(arrivals: readonly (ArrivingTenant | undefined)[]): {
  readonly persons: ReadonlyMap<string, TenantDetails>;
  readonly contradicting: ReadonlySet<number>;
} {
  const persons = new Map<string, TenantDetails>();
  const contradicting = new Set<number>();
  for (const [index, arrival] of arrivals.entries()) {
    if (arrival?.person === undefined) continue;
    const { person } = arrival;
    const id = accountId(person.key);
    const before = persons.get(id);
    if (before !== undefined && !agree(before, person)) {
      contradicting.add(index);
      continue;
    }
    const email = person.email === undefined ? before?.email : person.email;
    const phone = person.phone === undefined ? before?.phone : person.phone;
    persons.set(id, { ...person, email, phone });
  }
  return { persons, contradicting };
}

/** Whether two details can be of the same person: no field has two different values. */
function agree(one: TenantDetails, other: TenantDetails): boolean {
  return (['name', 'email', 'phone'] as const).every(
    (field) => one[field] === undefined || other[field] === undefined || one[field] === other[field],
  );
}
