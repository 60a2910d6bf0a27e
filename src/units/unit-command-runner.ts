import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { IDS } from '../config/injection-tokens.js';
import type { DocumentWrite } from '../documents/document-store.js';
import { LocationDirectory, type LocationDocument, type LocationPolicy } from '../locations/index.js';
import {
  accountId,
  accountInsert,
  type TenantAccount,
  TenantAccounts,
  type TenantDetails,
  TenantDetailsWrites,
  type TenantKey,
  tenantName,
} from '../tenants/index.js';
import type {
  CommandRun,
  OpenStream,
  Prepared,
  PreparedCommand,
  WriteClock,
} from '../writing/command-run.js';
import { CommandRunner } from '../writing/command-runner.js';
import type { FactName } from './core/fact-catalogue.js';
import type {
  Arrival,
  Placement,
  UnitCommand,
  UnitRefusal,
  UnitResult,
  UnitWarning,
} from './core/unit.commands.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';
import { standingWarnings } from './core/unit.warnings.js';
import { UNIT, type UnitOutcome } from './unit.aggregate.js';
import { UnitProjector, unitStream } from './unit.projector.js';
import type { StatedPerson, UnitWrite, Writer, WriteOptions } from './unit-write.js';

type UnitRun = CommandRun<UnitState, UnitEvent, UnitCommand, UnitResult, UnitRefusal>;

/** Runs the commands of a PMS, a pull source or an operator on units. */
@Injectable()
export class UnitCommandRunner {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: UnitProjector,
    readonly locations: LocationDirectory,
    readonly accounts: TenantAccounts,
    private readonly details: TenantDetailsWrites,
    readonly clocks: CompanyClocks,
    @Inject(IDS) readonly ids: Ids,
  ) {}

  /** {@link run} for one unit. */
  async runOne(writer: Writer, write: UnitWrite, options: WriteOptions): Promise<UnitOutcome> {
    return (await this.run(writer, [write], options))[0]!;
  }

  /**
   * Writes distinct units, each on its own. Answers in the order of `writes`.
   * @throws StoreUnavailableError, WriteContendedError, EventTooLargeError
   */
  async run(
    writer: Writer,
    writes: readonly UnitWrite[],
    options: WriteOptions,
  ): Promise<readonly UnitOutcome[]> {
    if (writes.length === 0) return [];
    const { company_id } = writer;
    const preparation = new UnitPreparation(this, writer, writes, options.dryRun);
    const names: string[] = [];
    for (const { arrival } of writes)
      if (arrival !== undefined) names.push(tenantName(company_id, arrival.pms_tenant_id));
    const run: UnitRun = {
      aggregate: UNIT,
      states: this.projector.states,
      projector: this.projector,
      streams: writes.map(({ crm_unit_id }) => unitStream(company_id, crm_unit_id)),
      names,
      bulk: writes[0]!.kind === 'sync',
      prepare: (open) => preparation.prepare(open),
      complete: writes.some(isCompleted)
        ? (outcomes) => this.#complete(outcomes, { writes, preparation, ...options })
        : undefined,
    };
    return this.runner.run(run, options.context, options.dryRun);
  }

  /** Records the persons that accepted writes state, and adds warnings. @throws StoreUnavailableError */
  async #complete(outcomes: readonly UnitOutcome[], completion: Completion): Promise<readonly UnitOutcome[]> {
    const { writes, preparation } = completion;
    const withPersons = await this.#recordPersons(outcomes, completion);
    const policies = await preparation.policies;
    return policies === undefined
      ? withPersons
      : withPersons.map((outcome, place) => withWarnings(outcome, writes[place]!, policies));
  }

  async #recordPersons(
    outcomes: readonly UnitOutcome[],
    { writes, preparation, context, dryRun = false }: Completion,
  ): Promise<readonly UnitOutcome[]> {
    const persons = writes.map(({ arrival }, place): TenantDetails | undefined => {
      const outcome = outcomes[place]!;
      if (arrival?.person === undefined || outcome.kind === 'rejected') return undefined;
      const { company_id, location_id } = outcome.after!.state;
      return detailsOf({ company_id, location_id, pms_tenant_id: arrival.pms_tenant_id }, arrival.person);
    });
    const stated = persons.filter((person) => person !== undefined);
    if (stated.length === 0) return outcomes;
    const created = dryRun ? undefined : preparation.createdOf(tenantsIn(outcomes));
    const recorded = await this.details.record(stated, context, created, dryRun);
    let next = 0;
    return outcomes.map((outcome, place) => {
      if (persons[place] === undefined || outcome.kind === 'rejected') return outcome;
      const { changed, suppressed } = recorded[next++]!;
      const warned = suppressed ? warn(outcome, ['personal_data_suppressed']) : outcome;
      if (changed === undefined) return warned;
      return { ...warned, result: { ...warned.result, person_changed: changed }, changed: true };
    });
  }
}

interface Completion extends WriteOptions {
  readonly writes: readonly UnitWrite[];
  readonly preparation: UnitPreparation;
}

type Done = Extract<UnitOutcome, { kind: 'done' }>;

/** Whether something follows a write's events: its tenant's person, or a warning about facts. */
function isCompleted(write: UnitWrite): boolean {
  return write.arrival?.person !== undefined || namesFacts(write);
}

/** The tenants of the units. An account that was only presumed is not among them. */
function tenantsIn(outcomes: readonly UnitOutcome[]): ReadonlySet<string | undefined> {
  return new Set(
    outcomes.map((one) => (one.kind === 'done' ? one.after?.state.tenancy?.tenant_id : undefined)),
  );
}

function withWarnings(
  outcome: UnitOutcome,
  { facts: named = {} }: UnitWrite,
  policies: ReadonlyMap<string, LocationPolicy>,
): UnitOutcome {
  if (outcome.kind === 'rejected') return outcome;
  const { facts, override, location_id } = outcome.after!.state;
  const policy = policies.get(location_id);
  const touched = new Set(Object.keys(named) as FactName[]);
  if (policy === undefined || touched.size === 0) return outcome;
  return warn(outcome, standingWarnings(facts, override, policy, outcome.applied_at, touched));
}

function warn(outcome: Done, warnings: readonly UnitWarning[]): Done {
  if (warnings.length === 0) return outcome;
  const { result } = outcome;
  return { ...outcome, result: { ...result, warnings: [...result.warnings, ...warnings] } };
}

/** The reads of a preparation. */
export interface PreparationPorts {
  readonly locations: LocationDirectory;
  readonly accounts: TenantAccounts;
  readonly clocks: CompanyClocks;
  readonly ids: Ids;
}

/** The tenant of one write, at the location of its unit. */
interface ArrivalPlace {
  /** The account's id, or the key to look it up by. */
  readonly tenant: string | TenantKey;
  readonly person: TenantDetails | undefined;
}

/** A tenant account that the write names first, until its events are stored. */
interface NewAccount {
  readonly account: TenantAccount;
  readonly insert: DocumentWrite;
}

/** Identifiers for what a write may create. */
type NewIds = Pick<Arrival, 'tenancy_id'> & { readonly unit_id: string };

/** Turns the PMS's names in one run into identifiers. */
export class UnitPreparation {
  /** Fixed for the run, however often it is decided. */
  readonly #newIds: NewIds[] = [];
  /** Read beside the units where a write names a location's code. */
  readonly #namedLocations: Promise<readonly LocationDocument[]> | undefined;
  readonly #arrivals: (ArrivalPlace | undefined)[];
  readonly #newAccounts = new Map<string, NewAccount>();
  #policies: Promise<ReadonlyMap<string, LocationPolicy>> | undefined;
  /** Until an insert was refused and all is prepared again, nobody may be looked up. */
  #mayPresume: boolean;

  constructor(
    private readonly ports: PreparationPorts,
    private readonly writer: Writer,
    private readonly writes: readonly UnitWrite[],
    dryRun = false,
  ) {
    this.#mayPresume = !dryRun;
    this.#arrivals = new Array<undefined>(writes.length).fill(undefined);
    if (writes.some((write) => write.location_id === undefined && write.pms_location_code !== undefined)) {
      this.#namedLocations = ports.locations.locationsOfCompany(writer.company_id);
      // Awaited only after the units were read, which may fail first.
      this.#namedLocations.catch(() => undefined);
    }
  }

  /** @throws StoreUnavailableError */
  async prepare(open: readonly OpenStream<UnitState>[]): Promise<Prepared<UnitCommand>> {
    const [clock, locations] = await Promise.all([
      this.ports.clocks.of(this.writer.company_id),
      this.#locations(open),
    ]);
    const placements = open.map(({ index }) => placementOf(this.writes[index]!, locations));
    this.#readPolicies(open, placements, locations);
    for (const [place, { index, state }] of open.entries())
      this.#arrivals[index] = arrivalPlace(this.writer, this.writes[index]!, state, placements[place]!);
    const { persons, contradicting } = agreedPersons(this.#arrivals);
    const stored = await this.#storedAccounts(open);
    const commands = open.map(({ index }, place): PreparedCommand<UnitCommand> => {
      const { tenant_id, account } = this.#tenantOf(index, stored, persons, clock);
      const names = { location: placements[place]!, tenant_id, contradicts: contradicting.has(index) };
      return { command: this.#command(index, names), account };
    });
    return { clock, commands };
  }

  /** By location, for writes that set facts. @throws StoreUnavailableError */
  get policies(): Promise<ReadonlyMap<string, LocationPolicy>> | undefined {
    return this.#policies;
  }

  /** By `_id`, the new accounts among these tenants'. */
  createdOf(tenant_ids: ReadonlySet<string | undefined>): ReadonlyMap<string, TenantAccount> {
    const stored = [...this.#newAccounts].filter(([, { account }]) => tenant_ids.has(account.tenant_id));
    return new Map(stored.map(([id, { account }]) => [id, account]));
  }

  /** The company's locations, where a unit may be created or a code is compared. */
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
    placements: readonly Placement[],
    known: readonly LocationDocument[] = [],
  ): void {
    const named = new Set<string>();
    for (const [place, { index, state }] of open.entries()) {
      const location_id = state?.location_id ?? knownLocation(placements[place]!);
      if (location_id !== undefined && namesFacts(this.writes[index]!)) named.add(location_id);
    }
    if (named.size === 0) return;
    this.#policies = this.#policiesOf(named, known, this.#policies);
    // Awaited after the append, which may fail first.
    this.#policies.catch(() => undefined);
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

  /** By `_id`, accounts that exist of the tenants who arrive. */
  async #storedAccounts(open: readonly OpenStream<UnitState>[]): Promise<ReadonlyMap<string, TenantAccount>> {
    const unknown = new Map<string, TenantKey>();
    for (const { index } of open) {
      const tenant = this.#arrivals[index]?.tenant;
      if (typeof tenant === 'object') unknown.set(accountId(tenant), tenant);
    }
    const mayPresume = this.#mayPresume;
    this.#mayPresume = false;
    if (unknown.size === 0) return new Map();
    const { accounts } = this.ports;
    const keys = [...unknown.values()];
    const found = await (mayPresume ? accounts.presumed(keys) : accounts.find(keys));
    return new Map(found.flatMap((account) => (account === undefined ? [] : [[account._id, account]])));
  }

  /** The tenant who arrives, and the insert of a new account. */
  #tenantOf(
    index: number,
    stored: ReadonlyMap<string, TenantAccount>,
    persons: ReadonlyMap<string, TenantDetails>,
    clock: WriteClock,
  ): { readonly tenant_id: string; readonly account: DocumentWrite | undefined } {
    const tenant = this.#arrivals[index]?.tenant;
    // No account is named if nobody arrives, or the arrival is refused anyway.
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
    names: { readonly location: Placement; readonly tenant_id: string; readonly contradicts: boolean },
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

/** Whether the write sets facts. */
function namesFacts({ facts = {} }: UnitWrite): boolean {
  return Object.keys(facts).length > 0;
}

/** The tenant that a write names; undefined where it names none, or the unit or its location refuses it. */
function arrivalPlace(
  { company_id, source }: Writer,
  { arrival }: UnitWrite,
  unit: UnitState | undefined,
  placement: Placement,
): ArrivalPlace | undefined {
  const location_id = unit === undefined ? knownLocation(placement) : unit.location_id;
  if (arrival === undefined || location_id === undefined) return undefined;
  if (unit !== undefined && unit.source_type !== source) return undefined;
  const { pms_tenant_id, person } = arrival;
  const key = { company_id, location_id, pms_tenant_id };
  return { tenant: tenantThere(unit, pms_tenant_id) ?? key, person: person && detailsOf(key, person) };
}

/** The unit's tenant, if the name is theirs: a location never gives a tenant's name to another one. */
function tenantThere(unit: UnitState | undefined, pms_tenant_id: string): string | undefined {
  return unit?.facts.pms_tenant_id === pms_tenant_id ? unit.tenancy?.tenant_id : undefined;
}

function knownLocation(placement: Placement): string | undefined {
  return placement.kind === 'known' ? placement.location_id : undefined;
}

/** The location of a new unit. @param locations the company's; undefined if they were not needed */
function placementOf(
  { location_id, pms_location_code: code }: UnitWrite,
  locations: readonly LocationDocument[] | undefined,
): Placement {
  const given = location_id !== undefined || code !== undefined;
  const found = location_id ?? locationNamed(code, locations)?._id;
  if (found !== undefined) return { kind: 'known', location_id: found, given };
  if (locations?.length === 0) return { kind: 'nowhere' };
  return { kind: given ? 'unknown' : 'none' };
}

/** Without a code, the company's only location. */
function locationNamed(
  code: string | undefined,
  locations: readonly LocationDocument[] = [],
): LocationDocument | undefined {
  if (code !== undefined) return locations.find(({ pms_location_code }) => pms_location_code === code);
  return locations.length === 1 ? locations[0] : undefined;
}

function detailsOf(key: TenantKey, { first_name, last_name, email, phone }: StatedPerson): TenantDetails {
  return { key, name: `${first_name} ${last_name}`, email, phone };
}

/** By account, the person that the writes agree on; and the places of writes that contradict an earlier one. */
function agreedPersons(arrivals: readonly (ArrivalPlace | undefined)[]): {
  readonly persons: ReadonlyMap<string, TenantDetails>;
  readonly contradicting: ReadonlySet<number>;
} {
  const persons = new Map<string, TenantDetails>();
  const contradicting = new Set<number>();
  for (const [place, arrival] of arrivals.entries()) {
    if (arrival?.person === undefined) continue;
    const { person } = arrival;
    const id = accountId(person.key);
    const before = persons.get(id);
    if (before !== undefined && !agree(before, person)) {
      contradicting.add(place);
      continue;
    }
    const email = person.email === undefined ? before?.email : person.email;
    const phone = person.phone === undefined ? before?.phone : person.phone;
    persons.set(id, { ...person, email, phone });
  }
  return { persons, contradicting };
}

/** Whether two statements may be of one person: one may leave out what the other says. */
function agree(one: TenantDetails, other: TenantDetails): boolean {
  return (['name', 'email', 'phone'] as const).every(
    (field) => one[field] === undefined || other[field] === undefined || one[field] === other[field],
  );
}
