import type { CompanyClocks } from '#domain/companies/index.js';
import type { Ids } from '#kernel/ids.js';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import type { LocationDirectory, LocationDocument } from '#domain/locations/index.js';
import {
  accountId,
  accountInsert,
  isOwnId,
  type SourceStatement,
  type TenantAccount,
  type TenantAccounts,
  type TenantDetails,
  type TenantDetailsWrites,
  type TenantKey,
} from '#domain/tenants/index.js';
import type {
  OpenStream,
  Prepared,
  PreparedCommand,
  WriteClock,
} from '#eventsourcing/writing/command-run.js';
import type {
  Arrival,
  NewUnitLocation,
  StatedArrival,
  StatedPerson,
  StatedUnit,
  StatedUnitCommand,
  UnitCommand,
} from './core/unit.commands.js';
import { type Confusable, hasOuterSpace, otherForms } from './core/confusable.js';
import type { UnitState } from './core/unit.state.js';
import { beyondLimit } from './full-tenants.js';
import type { RentedUnits } from './rented-units.js';
import { unitStream } from './unit-stream.js';
import type { StateLoader } from '#eventsourcing/writing/projector.js';

export interface PreparationPorts {
  readonly locations: LocationDirectory;
  readonly accounts: TenantAccounts;
  readonly details: Pick<TenantDetailsWrites, 'refuses'>;
  readonly clocks: CompanyClocks;
  readonly rented: RentedUnits;
  readonly states: StateLoader<UnitState>;
  readonly ids: Ids;
}

/** The tenant who arrives by one write: one who rents the unit already, or one whose account is looked up by its key. */
type ArrivingTenant = { readonly person: TenantDetails | undefined } & (
  | { readonly kind: 'present'; readonly tenant_id: string }
  | { readonly kind: 'named'; readonly key: TenantKey }
);

/** A command on the company's unit of this identifier. The unit need not exist. */
export interface CommandOnUnit<Stated extends StatedUnitCommand = StatedUnitCommand> {
  readonly crm_unit_id: string;
  readonly command: Stated;
}

/** A write with the state of its unit, and the location where it would create the unit. */
interface PlacedWrite extends CommandOnUnit {
  readonly index: number;
  readonly unit: UnitState | undefined;
  readonly location: NewUnitLocation;
}

/** An account that does not exist yet. It is stored with the first events that name it. */
interface NewAccount {
  readonly account: TenantAccount;
  readonly insert: DocumentWrite;
}

/** Ids of the unit and the tenancy that a write may create. */
type NewIds = Pick<Arrival, 'tenancy_id'> & { readonly unit_id: string };

/** Nobody arrives, or the decider will refuse the command before it uses the id. */
const NO_TENANT = { tenant_id: '', account: undefined } as const;

/**
 * Makes commands of the writes of one run: resolves the PMS's identifiers of locations and tenants. A conflict makes the run
 * prepare some writes again. Ids and accounts that were made before are then used again.
 */
export class UnitPreparation {
  /** By the index of the write. */
  readonly #newIds = new Map<number, NewIds>();
  /** By the index of the write, in the order of the writes. */
  readonly #arrivals = new Map<number, ArrivingTenant | undefined>();
  readonly #newAccounts = new Map<string, NewAccount>();

  constructor(
    private readonly ports: PreparationPorts,
    private readonly company_id: string,
    private readonly writes: readonly CommandOnUnit[],
  ) {}

  /** @throws StoreUnavailableError */
  async prepare(open: readonly OpenStream<UnitState>[]): Promise<Prepared<UnitCommand>> {
    const clock = await this.ports.clocks.findClock(this.company_id);
    const locations = await this.#readLocations(open);
    const placed = open.map(({ index, state }): PlacedWrite => {
      const write = this.writes[index]!;
      return { ...write, index, unit: state, location: newUnitLocation(write.command, locations) };
    });
    for (const one of placed) this.#arrivals.set(one.index, arrivingTenant(this.company_id, one));
    const agreed = agreedPersons(this.#arrivals);
    const stored = await this.#readAccounts(placed);
    const [refused, full, confusable] = await Promise.all([
      this.#refusedDetails(placed, stored, clock),
      this.#beyondLimit(placed, stored),
      this.#findConfusable(placed),
    ]);
    const commands = placed.map((one): PreparedCommand<UnitCommand> => {
      const { tenant_id, account } = this.#tenantOf(one, stored, agreed.persons, clock);
      const command = this.#command(one, {
        tenant_id,
        contradicts: agreed.contradicting.has(one.index),
        tenant_is_full: full.has(one.index),
        tenant_is_reserved: isReserved(this.#arrivals.get(one.index)),
        details_refused: refused.has(one.index),
        present_location_code: codeOf(one.unit?.location_id, locations),
        confusable: confusable.get(one.index),
      });
      return { command, account };
    });
    return { clock, commands };
  }

  /** The new accounts of these tenants, by `_id`. */
  createdOf(tenant_ids: ReadonlySet<string | undefined>): ReadonlyMap<string, TenantAccount> {
    const created = [...this.#newAccounts].filter(([, { account }]) => tenant_ids.has(account.tenant_id));
    return new Map(created.map(([id, { account }]) => [id, account]));
  }

  /** The company's locations. Undefined if no write names one by its code or may create a unit. */
  async #readLocations(
    open: readonly OpenStream<UnitState>[],
  ): Promise<readonly LocationDocument[] | undefined> {
    const areNeeded = open.some(({ index, state }) => {
      const registration = registrationIn(this.writes[index]!.command);
      if (registration === undefined || registration.location_id !== undefined) return false;
      return registration.pms_location_code !== undefined || state === undefined;
    });
    return areNeeded ? this.ports.locations.locationsOfCompany(this.company_id) : undefined;
  }

  /** The stored accounts of arriving tenants, by `_id`. */
  async #readAccounts(placed: readonly PlacedWrite[]): Promise<ReadonlyMap<string, TenantAccount>> {
    const named = new Map<string, TenantKey>();
    for (const { index } of placed) {
      const arriving = this.#arrivals.get(index);
      if (arriving?.kind === 'named') named.set(accountId(arriving.key), arriving.key);
    }
    const found = await this.ports.accounts.find([...named.values()]);
    return new Map(found.flatMap((account) => (account === undefined ? [] : [[account._id, account]])));
  }

  /** The indexes of writes whose personal details cannot be stored. */
  async #refusedDetails(
    placed: readonly PlacedWrite[],
    stored: ReadonlyMap<string, TenantAccount>,
    clock: WriteClock,
  ): Promise<ReadonlySet<number>> {
    const refused = new Set<number>();
    for (const { index, command } of placed) {
      const arriving = this.#arrivals.get(index);
      if (arriving?.person === undefined) continue;
      const tenant_id = knownTenant(arriving, stored);
      const details = { ...arriving.person, statement: statementOf(command, clock.now()) };
      if (tenant_id !== undefined && (await this.ports.details.refuses(tenant_id, details)))
        refused.add(index);
    }
    return refused;
  }

  /** The indexes of writes that would give a tenant more units than one may rent. A tenant without an account rents none. */
  async #beyondLimit(
    placed: readonly PlacedWrite[],
    stored: ReadonlyMap<string, TenantAccount>,
  ): Promise<ReadonlySet<number>> {
    const arrivals = placed.flatMap(({ index, crm_unit_id }) => {
      const arriving = this.#arrivals.get(index);
      const tenant_id = arriving?.kind === 'named' ? knownTenant(arriving, stored) : undefined;
      const stream = unitStream(this.company_id, crm_unit_id);
      return tenant_id === undefined ? [] : [{ index, stream, tenant_id }];
    });
    if (arrivals.length === 0) return new Set();
    const tenant_ids = [...new Set(arrivals.map(({ tenant_id }) => tenant_id))];
    return beyondLimit(arrivals, await this.ports.rented.rentedBy(tenant_ids));
  }

  /** Identifiers that would create a unit and look like another one, by the index of the write. */
  async #findConfusable(placed: readonly PlacedWrite[]): Promise<ReadonlyMap<number, Confusable>> {
    const found = new Map<number, Confusable>();
    const creating = placed.filter(({ unit, command }) => unit === undefined && 'registration' in command);
    const twins: { readonly index: number; readonly known: string }[] = [];
    for (const { index, crm_unit_id } of creating) {
      if (hasOuterSpace(crm_unit_id)) found.set(index, { kind: 'white_space' });
      for (const known of otherForms(crm_unit_id)) twins.push({ index, known });
    }
    if (twins.length === 0) return found;
    const streams = twins.map(({ known }) => unitStream(this.company_id, known));
    const states = await this.ports.states.load(streams);
    const indexes = new Map(this.writes.map((write, index) => [write.crm_unit_id, index]));
    for (const [position, { index, known }] of twins.entries()) {
      // A retired unit is one that was made by mistake.
      const isKnown = states[position]?.state.retired === false;
      if (isKnown || (indexes.get(known) ?? index) < index)
        found.set(index, { kind: 'normalisation', known });
    }
    return found;
  }

  /** The id of the arriving tenant, and the insert if the account is new. */
  #tenantOf(
    { index }: PlacedWrite,
    stored: ReadonlyMap<string, TenantAccount>,
    persons: ReadonlyMap<string, TenantDetails>,
    clock: WriteClock,
  ): { readonly tenant_id: string; readonly account: DocumentWrite | undefined } {
    const arriving = this.#arrivals.get(index);
    if (arriving === undefined) return NO_TENANT;
    if (arriving.kind === 'present') return { tenant_id: arriving.tenant_id, account: undefined };
    const id = accountId(arriving.key);
    const known = stored.get(id);
    const made = this.#newAccounts.get(id);
    if (known === undefined) {
      const { account, insert } = made ?? this.#newAccount(index, arriving.key, persons.get(id), clock);
      return { tenant_id: account.tenant_id, account: insert };
    }
    // The stored account is our own of an earlier attempt, or another process was first.
    if (made?.account.tenant_id !== known.tenant_id) this.#newAccounts.delete(id);
    return { tenant_id: known.tenant_id, account: undefined };
  }

  #newAccount(
    index: number,
    key: TenantKey,
    person: TenantDetails | undefined,
    clock: WriteClock,
  ): NewAccount {
    const now = clock.now();
    const details = person && { ...person, statement: statementOf(this.writes[index]!.command, now) };
    const account = this.ports.accounts.newAccount(key, now, details);
    const made = { account, insert: accountInsert(account) };
    this.#newAccounts.set(account._id, made);
    return made;
  }

  #idsFor(index: number): NewIds {
    const known = this.#newIds.get(index);
    if (known !== undefined) return known;
    const { ids } = this.ports;
    const made = { unit_id: ids.ulid(), tenancy_id: ids.ulid() };
    this.#newIds.set(index, made);
    return made;
  }

  #command(
    { index, crm_unit_id, command, location }: PlacedWrite,
    named: {
      readonly tenant_id: string;
      readonly contradicts: boolean;
      readonly tenant_is_full: boolean;
      readonly tenant_is_reserved: boolean;
      readonly details_refused: boolean;
      readonly present_location_code: string | undefined;
      readonly confusable: Confusable | undefined;
    },
  ): UnitCommand {
    if (!('registration' in command)) return command;
    const { company_id } = this;
    const { present_location_code, confusable, ...names } = named;
    const { unit_id, tenancy_id } = this.#idsFor(index);
    const { unit_name, on_other_location = 'refuse' } = command.registration;
    const unit = { company_id, crm_unit_id, unit_id, unit_name };
    const registration = { ...unit, location, present_location_code, on_other_location, confusable };
    const resolve = ({ pms_tenant_id, move_in_date, ledger_id }: StatedArrival): Arrival => {
      return { ...names, pms_tenant_id, move_in_date, ledger_id, tenancy_id };
    };
    switch (command.type) {
      case 'RegisterUnit':
        return { ...command, registration };
      case 'MoveTenantIn':
        return { ...command, registration, arrival: resolve(command.arrival) };
      case 'SyncUnit':
        return { ...command, registration, arrival: command.arrival && resolve(command.arrival) };
    }
  }
}

/** Undefined if the account does not exist yet. */
function knownTenant(
  arriving: ArrivingTenant,
  stored: ReadonlyMap<string, TenantAccount>,
): string | undefined {
  return arriving.kind === 'present' ? arriving.tenant_id : stored.get(accountId(arriving.key))?.tenant_id;
}

/** Whoever rents the unit already goes on. */
function isReserved(arriving: ArrivingTenant | undefined): boolean {
  return arriving?.kind === 'named' && isOwnId(arriving.key.pms_tenant_id);
}

function registrationIn(command: StatedUnitCommand): StatedUnit | undefined {
  return 'registration' in command ? command.registration : undefined;
}

/** Undefined if the command names no tenant who takes the unit. */
export function arrivalIn(command: StatedUnitCommand): StatedArrival | undefined {
  return 'arrival' in command ? (command.arrival ?? undefined) : undefined;
}

/** Undefined if the write names no tenant, or will be refused for its location or source. */
function arrivingTenant(
  company_id: string,
  { command, unit, location }: PlacedWrite,
): ArrivingTenant | undefined {
  const arrival = arrivalIn(command);
  const location_id = unit === undefined ? knownLocation(location) : unit.location_id;
  if (arrival === undefined || location_id === undefined) return undefined;
  if (unit !== undefined && 'source' in command && unit.source_type !== command.source) return undefined;
  const { pms_tenant_id } = arrival;
  const key = { company_id, location_id, pms_tenant_id };
  // The person of a write that will be refused contradicts no other write.
  const counts = arrival.person !== undefined && !namesAnother(location, location_id);
  const person = counts ? detailsOf(key, arrival.person) : undefined;
  const tenant_id = presentTenant(unit, pms_tenant_id);
  return tenant_id === undefined ? { kind: 'named', key, person } : { kind: 'present', tenant_id, person };
}

function namesAnother(location: NewUnitLocation, location_id: string): boolean {
  return location.kind === 'known' && location.given && location.location_id !== location_id;
}

function codeOf(
  location_id: string | undefined,
  locations: readonly LocationDocument[] = [],
): string | undefined {
  return locations.find(({ _id }) => _id === location_id)?.pms_location_code;
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
  command: StatedUnitCommand,
  locations: readonly LocationDocument[] | undefined,
): NewUnitLocation {
  const { location_id, pms_location_code: code } = registrationIn(command) ?? {};
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

/** @param now milliseconds */
export function statementOf(command: StatedUnitCommand, now: number): SourceStatement {
  const snapshot_at = command.type === 'SyncUnit' ? command.snapshot_at : undefined;
  return { at: snapshot_at ?? now, isSnapshot: snapshot_at !== undefined };
}

export function detailsOf(
  key: TenantKey,
  { first_name, last_name, email, phone }: StatedPerson,
): TenantDetails {
  return { key, name: `${first_name} ${last_name}`, email, phone };
}

/** The personal details that the writes agree on, by account; and the indexes of writes that contradict an earlier one. */
function agreedPersons(arrivals: ReadonlyMap<number, ArrivingTenant | undefined>): {
  readonly persons: ReadonlyMap<string, TenantDetails>;
  readonly contradicting: ReadonlySet<number>;
} {
  const persons = new Map<string, TenantDetails>();
  const contradicting = new Set<number>();
  for (const [index, arrival] of arrivals) {
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
