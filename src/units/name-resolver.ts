import { Injectable } from '@nestjs/common';
import { type LocationDocument, LocationDirectory } from '../locations/index.js';
import type { DocumentWrite } from '../documents/document-store.js';
import {
  accountId,
  type CreatedAccounts,
  type RecordedDetails,
  type ResolvedAccounts,
  TenantAccounts,
  type TenantDetails,
  TenantDetailsWrites,
  type TenantKey,
} from '../tenants/index.js';
import type { Arrival, Placement, Registration, UnitCommand } from './core/unit.commands.js';
import type { UnitState } from './core/unit.state.js';
import type { OpenWrite, StatedArrival, StatedPerson, StatedWrite, Writer } from './unit-write.js';
import type { WriteContext } from '../writing/write-context.js';
import type { UnitOutcome } from './write-units.command.js';

/** Stands for an account that is not looked for, as the write is refused anyway, or that a dry run would create. */
const NO_ACCOUNT = '';
/** Where a tenant arrives of whom the write does not say it: the write is refused where there is no unit. */
const NO_LOCATION = '';

/** A write with what is known of its unit. */
export interface PlacedWrite {
  readonly write: OpenWrite;
  readonly unit: UnitState | undefined;
  /** Where the unit is, where that is all that is known of it. */
  readonly location_id?: string | undefined;
}

interface Arriving {
  readonly arrival: Arrival;
  readonly account: DocumentWrite | undefined;
}

/** Commands, in order, whose names are resolved. */
export interface NamedCommands {
  readonly commands: readonly UnitCommand[];
  /** By place: the account that a command names and that is to be stored with its events. */
  readonly accounts: readonly (DocumentWrite | undefined)[];
  /** The accounts that were created for them. */
  readonly created: CreatedAccounts;
  /** To be called when the commands have been executed. */
  readonly release: () => void;
}

/** Who arrives where. */
interface ArrivalPlace {
  readonly location_id: string;
  /** Known, or to be looked for. */
  readonly tenant: string | TenantKey;
  /** What the write says of the person; undefined where it says nothing, or is refused anyway. */
  readonly person: TenantDetails | undefined;
}

/** Turns the PMS's names (location code, PMS tenant) into the service's identifiers. */
@Injectable()
export class NameResolver {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly tenants: TenantAccounts,
    private readonly details: TenantDetailsWrites,
  ) {}

  /** The company's locations, on their way beside its units, where a write names a code that must be compared in any case. */
  readAhead(
    { company_id }: Writer,
    writes: readonly StatedWrite[],
  ): Promise<readonly LocationDocument[]> | undefined {
    if (
      !writes.some(
        ({ location_id, pms_location_code: code }) => location_id === undefined && code !== undefined,
      )
    )
      return undefined;
    const locations = this.locations.locationsOfCompany(company_id);
    // Whoever reads the units may fail before.
    locations.catch(() => undefined);
    return locations;
  }

  /**
   * Commands for writes. Tenant accounts that are named for the first time are created, unless `dryRun`, at the latest
   * with the events that name them; none is created for a write that is refused anyway.
   */
  async commands(
    writer: Writer,
    placed: readonly PlacedWrite[],
    dryRun: boolean,
    readAhead?: Promise<readonly LocationDocument[]>,
  ): Promise<NamedCommands> {
    // Where every unit is known, so is where its tenant's account is: nothing waits for the locations.
    const areKnown = placed.every((one) => knownLocation(one) !== undefined);
    const locating = this.#locations(writer.company_id, placed, readAhead);
    const arriving = areKnown
      ? this.#arrivals(writer, placed, [], dryRun)
      : locating.then((locations) => this.#arrivals(writer, placed, locations, dryRun));
    arriving.catch(() => undefined);
    const locations = await locating.catch((error: unknown) => {
      void arriving.then(({ release }) => release()).catch(() => undefined);
      throw error;
    });
    const arrivals = await arriving;
    const commands = placed.map(({ write }, place) =>
      toCommand(writer, write, locations[place]!, arrivals.found[place]?.arrival),
    );
    const accounts = arrivals.found.map((one) => one?.account);
    return { commands, accounts, created: arrivals.created, release: arrivals.release };
  }

  /** Records the personal details that accepted writes carry; answers the outcomes with what became of those. */
  async keepPersons(
    writes: readonly OpenWrite[],
    outcomes: readonly UnitOutcome[],
    context: WriteContext,
    created: CreatedAccounts,
    dryRun: boolean,
  ): Promise<UnitOutcome[]> {
    const persons = writes.map(({ arrival }, place) => personIn(arrival, outcomes[place]!));
    const stated = persons.filter((person) => person !== undefined);
    const recorded = await this.details.record(stated, context, created, dryRun);
    let next = 0;
    return outcomes.map((outcome, place) =>
      persons[place] === undefined ? outcome : withPerson(outcome, recorded[next++]!),
    );
  }

  /** Reads the company's locations only where a unit must be created or a code compared. */
  async #locations(
    company_id: string,
    placed: readonly PlacedWrite[],
    readAhead: Promise<readonly LocationDocument[]> | undefined,
  ): Promise<Placement[]> {
    const needed = placed.some(
      ({ write, unit }) =>
        write.location_id === undefined && (unit === undefined || write.pms_location_code !== undefined),
    );
    const known = needed ? await (readAhead ?? this.locations.locationsOfCompany(company_id)) : [];
    const byCode = new Map(known.map((location) => [location.pms_location_code, location._id]));
    const only = known.length === 1 ? known[0]!._id : undefined;
    return placed.map(({ write: { location_id, pms_location_code } }) => {
      const given = location_id !== undefined || pms_location_code !== undefined;
      const named = pms_location_code === undefined ? only : byCode.get(pms_location_code);
      const found = location_id ?? named;
      if (found !== undefined) return { kind: 'known', location_id: found, given };
      if (needed && known.length === 0) return { kind: 'nowhere' };
      return { kind: given ? 'unknown' : 'none' };
    });
  }

  /** In the order of `placed`; undefined where nobody arrives. */
  async #arrivals(
    writer: Writer,
    placed: readonly PlacedWrite[],
    locations: readonly Placement[],
    dryRun: boolean,
  ): Promise<{ found: (Arriving | undefined)[] } & Pick<ResolvedAccounts, 'created' | 'release'>> {
    const places = placed.map((one, place) => arrivalPlace(writer, one, locations[place]));
    const keys = places.map((one) => one?.tenant).filter((tenant) => typeof tenant === 'object');
    const { persons, contradicting } = consistentPersons(places);
    const { tenant_ids, inserts, created, release } = await this.#accounts(keys, persons, dryRun);
    let next = 0;
    const found = places.map((arrival, place): Arriving | undefined => {
      if (arrival === undefined) return undefined;
      const { location_id, tenant } = arrival;
      const at = typeof tenant === 'string' ? undefined : next++;
      const tenant_id = typeof tenant === 'string' ? tenant : tenant_ids[at!]!;
      const account = at === undefined ? undefined : inserts[at];
      const contradicts = contradicting.has(place);
      return { arrival: toArrival(placed[place]!.write, { tenant_id, location_id, contradicts }), account };
    });
    return { found, created, release };
  }

  async #accounts(
    keys: readonly TenantKey[],
    persons: readonly TenantDetails[],
    dryRun: boolean,
  ): Promise<ResolvedAccounts> {
    if (keys.length > 0 && !dryRun) return this.tenants.resolve(keys, persons);
    const accounts = await this.tenants.find(keys);
    const tenant_ids = accounts.map((account) => account?.tenant_id ?? NO_ACCOUNT);
    return { tenant_ids, inserts: [], created: new Map(), release: () => undefined };
  }
}

function locationOf(placement: Placement | undefined): string | undefined {
  return placement?.kind === 'known' ? placement.location_id : undefined;
}

function knownLocation({ unit, location_id }: PlacedWrite): string | undefined {
  return unit?.location_id ?? location_id;
}

/** Where the write's tenant arrives; with no account to look for where the unit or its location refuses the write. */
function arrivalPlace(
  writer: Writer,
  placed: PlacedWrite,
  location: Placement | undefined,
): ArrivalPlace | undefined {
  const { write, unit } = placed;
  if (write.arrival === undefined) return undefined;
  const location_id = knownLocation(placed) ?? locationOf(location);
  if (location_id === undefined || isForeign(unit, writer)) {
    return { location_id: location_id ?? NO_LOCATION, tenant: NO_ACCOUNT, person: undefined };
  }
  const { pms_tenant_id, person } = write.arrival;
  const key = { company_id: writer.company_id, location_id, pms_tenant_id };
  const tenant = tenantThere(unit, pms_tenant_id) ?? key;
  return { location_id, tenant, person: person && detailsOf(key, person) };
}

function isForeign(unit: UnitState | undefined, { source }: Writer): boolean {
  return unit !== undefined && unit.source_type !== source;
}

/** The tenant who is there is known by that name: what a location calls a tenant never changes its meaning. */
function tenantThere(unit: UnitState | undefined, pms_tenant_id: string): string | undefined {
  return unit?.facts.pms_tenant_id === pms_tenant_id ? unit.tenancy?.tenant_id : undefined;
}

function toCommand(
  writer: Writer,
  write: OpenWrite,
  location: Placement,
  arrival: Arrival | undefined,
): UnitCommand {
  const { source } = writer;
  const registration: Registration = {
    company_id: writer.company_id,
    crm_unit_id: write.crm_unit_id,
    unit_id: write.new_unit_id,
    unit_name: write.unit_name,
    location,
  };
  switch (write.kind) {
    case 'register':
      return { type: 'RegisterUnit', source, registration };
    case 'move_in':
      return { type: 'MoveTenantIn', source, registration, arrival: arrival! };
    case 'move_out':
      return { type: 'MoveTenantOut', source };
    case 'change_facts':
      return { type: 'ChangeUnitFacts', source, facts: write.facts };
    case 'sync':
      return { type: 'SyncUnit', source, registration, arrival: arrival ?? null, facts: write.facts };
  }
}

function toArrival(
  { arrival, new_tenancy_id }: OpenWrite,
  account: Pick<Arrival, 'tenant_id' | 'location_id' | 'contradicts'>,
): Arrival {
  const { tenant_id, location_id, contradicts } = account;
  const { pms_tenant_id, move_in_date, ledger_id } = arrival as StatedArrival;
  const tenancy_id = new_tenancy_id;
  return { tenant_id, location_id, contradicts, pms_tenant_id, move_in_date, ledger_id, tenancy_id };
}

function detailsOf(key: TenantKey, { first_name, last_name, email, phone }: StatedPerson): TenantDetails {
  return { key, name: `${first_name} ${last_name}`, email, phone };
}

/** Of several persons that are stated for one tenant those that agree with the first, and the places of the others. */
function consistentPersons(places: readonly (ArrivalPlace | undefined)[]): {
  readonly persons: readonly TenantDetails[];
  readonly contradicting: ReadonlySet<number>;
} {
  const stated = new Map<string, TenantDetails>();
  const persons: TenantDetails[] = [];
  const contradicting = new Set<number>();
  for (const [place, one] of places.entries()) {
    if (one?.person === undefined) continue;
    const { person } = one;
    const id = accountId(person.key);
    const before = stated.get(id);
    if (before !== undefined && !agree(before, person)) {
      contradicting.add(place);
      continue;
    }
    stated.set(id, { ...person, email: person.email ?? before?.email, phone: person.phone ?? before?.phone });
    persons.push(person);
  }
  return { persons, contradicting };
}

/** Whether two statements may be of one person: what one leaves out the other may say. */
function agree(one: TenantDetails, other: TenantDetails): boolean {
  return (['name', 'email', 'phone'] as const).every(
    (field) => one[field] === undefined || other[field] === undefined || one[field] === other[field],
  );
}

/** The personal details that an accepted write carries. */
function personIn(arrival: StatedArrival | undefined, outcome: UnitOutcome): TenantDetails | undefined {
  if (arrival?.person === undefined || outcome.kind === 'rejected') return undefined;
  const { company_id, location_id } = outcome.after!.state;
  return detailsOf({ company_id, location_id, pms_tenant_id: arrival.pms_tenant_id }, arrival.person);
}

function withPerson(outcome: UnitOutcome, { changed, suppressed }: RecordedDetails): UnitOutcome {
  if (outcome.kind === 'rejected' || !(changed || suppressed)) return outcome;
  const { warnings } = outcome.result;
  const result = suppressed
    ? { ...outcome.result, warnings: [...warnings, 'personal_data_suppressed' as const] }
    : { ...outcome.result, person_changed: true };
  return { ...outcome, result, changed: outcome.changed || changed };
}
