import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Yielder } from '../../config/yielder.js';
import { CALENDAR, VIEWS } from '../../config/injection-tokens.js';
import { type CompanyClock, CompanyClocks } from '../../companies/index.js';
import type { DocumentStore, DocumentWrite } from '../../documents/document-store.js';
import { everyPage } from '../../documents/pages.js';
import { untilAllHold } from '../../documents/until-it-holds.js';
import {
  type LocationDocument,
  type LocationPolicyListener,
  LocationDirectory,
} from '../../locations/index.js';
import { tenantsNamed, type UnitChange, type UnitChangeListener } from '../../units/index.js';
import { KeyedMutex } from '../../writing/keyed-mutex.js';
import type { Calendar } from '../core/decision.js';
import { DECISION_OBSERVER, type DecisionObserver } from '../decision-observer.js';
import {
  decisionsMade,
  decideTenantUnits,
  earliestEnd,
  mergeTenantUnits,
  statesOf,
  type TenantUnit,
  toTenantUnit,
} from '../core/tenant-units.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';

/** How many documents one round of a sweep or of a policy change takes up. */
const ROUND = 500;

/** The turn of sweeps by the world's clock: no company has this id. */
const WORLDS = '';

/** A document that becomes another. */
interface Replacement {
  readonly update: TenantUpdate;
  readonly before: TenantAccessDocument | undefined;
  readonly after: TenantAccessDocument;
}

/** The news for one tenant. Empty if only time or policy has moved on. */
interface TenantUpdate {
  readonly tenant_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly brought: TenantUnit[];
}

/** The begin of an attempt: the documents as they stand, and the locations whose policies decide. */
interface Found {
  readonly documents: readonly (TenantAccessDocument | undefined)[];
  readonly locations: ReadonlyMap<string, LocationDocument>;
}

/** Reads that were begun beside the append of the changes that the updates are made of. */
class Prepared {
  constructor(
    readonly updates: readonly TenantUpdate[],
    readonly found: Promise<Found>,
  ) {
    // Nobody asks if the append fails.
    found.catch(() => undefined);
  }
}

/**
 * Keeps `tenant_access`. Applying a change twice, late or beside another process changes nothing, for every unit stands
 * at its newest revision and every document is replaced by compare-and-set.
 */
@Injectable()
export class TenantAccessViews implements UnitChangeListener, LocationPolicyListener {
  /** By sandbox, and of all that go by the world's clock. */
  readonly #sweeps = new KeyedMutex();
  readonly #yielder = new Yielder();
  /** By tenant: units of one tenant are written side by side, and each attempt decides all of them. */
  readonly #mutex = new KeyedMutex();
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly locations: LocationDirectory,
    @Optional() @Inject(DECISION_OBSERVER) private readonly observer?: DecisionObserver,
  ) {}

  /** The documents of tenants, in the order of their ids. @throws StoreUnavailableError */
  async ofTenants(ids: readonly string[]): Promise<(TenantAccessDocument | undefined)[]> {
    return (await this.views.collection(TENANT_ACCESS)).getMany(ids);
  }

  prepare(changes: readonly UnitChange[]): Prepared {
    const updates = updatesOf(changes);
    return new Prepared(updates, this.#find(updates));
  }

  unitsChanged(changes: readonly UnitChange[], prepared?: unknown): Promise<void> {
    return prepared instanceof Prepared
      ? this.#update(prepared.updates, prepared.found)
      : this.#update(updatesOf(changes));
  }

  /**
   * Gives documents these units and decides them; a document without any is removed.
   * @param renewed every document gets its next version: answers made of it are made anew
   * @returns the tenants whose documents have become others meanwhile
   * @throws StoreUnavailableError
   */
  async correct(
    corrected: readonly { readonly document: TenantAccessDocument; readonly units: readonly TenantUnit[] }[],
    renewed: boolean,
  ): Promise<string[]> {
    const locations = await this.#locationsOf(corrected.map(({ document }) => document));
    const clocks = await this.clocks.ofAll(corrected.map(({ document }) => document.company_id));
    const writes = corrected.flatMap(({ document, units }): DocumentWrite[] => {
      const { _id: id, version: expected } = document;
      if (units.length === 0) return [{ kind: 'delete', collection: TENANT_ACCESS.name, id, expected }];
      const update = withoutChanges(document);
      const next = this.#next({ ...document, units }, update, locations, clocks.get(document.company_id)!);
      const isRight = isDeepStrictEqual({ ...next, version: document.version }, { ...document });
      return isRight && !renewed ? [] : [replace(document, next)];
    });
    const outcomes = writes.length === 0 ? [] : await this.views.write(writes);
    return writes
      .filter((_, place) => outcomes[place]!.kind !== 'written')
      .map((write) => (write.kind === 'delete' ? write.id : write.document._id));
  }

  async policyChanged(location_id: string): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    const pages = everyPage((cursor) =>
      documents.find('by_location', { equals: [location_id], limit: ROUND, cursor }),
    );
    for await (const page of pages) await this.#update(page.documents.map(withoutChanges));
  }

  /**
   * Evaluates again every decision that the calendar has overtaken. Sweeps of the same clock follow one another in this
   * process, so that many readers at a boundary do the work once; one sandbox's hold up nobody else.
   * @param company_ids of these alone, and of all that go by the world's clock; of every company where absent
   */
  async sweep(company_ids?: readonly string[]): Promise<void> {
    await this.#sweepInTurn(WORLDS, () => this.#sweepDue('by_valid_until', [], this.clocks.worlds));
    const clocks = await (company_ids === undefined ? this.clocks.ahead() : this.clocks.ofAll(company_ids));
    for (const [company_id, clock] of clocks) {
      if (clock.ahead > 0) await this.#sweepInTurn(company_id, () => this.#sweepSandbox(company_id, clock));
    }
  }

  #sweepInTurn(turn: string, work: () => Promise<void>): Promise<void> {
    return this.#sweeps.run([turn], work);
  }

  async #sweepSandbox(company_id: string, clock: CompanyClock): Promise<void> {
    for (const { _id } of await this.locations.locationsOfCompany(company_id))
      await this.#sweepDue('by_location_and_valid_until', [_id], clock);
  }

  async #sweepDue(
    index: 'by_valid_until' | 'by_location_and_valid_until',
    equals: readonly string[],
    clock: Pick<CompanyClock, 'now'>,
  ): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    for (let hasMore = true; hasMore;) {
      const due = await documents.find(index, { equals, to: clock.now(), limit: ROUND });
      await this.#update(due.documents.map(withoutChanges));
      hasMore = due.next_cursor !== null;
    }
  }

  #update(updates: readonly TenantUpdate[], found?: Promise<Found>): Promise<void> {
    // A server may list a document twice that is replaced meanwhile; work that names a key twice waits for itself.
    const tenants = new Set(updates.map(({ tenant_id }) => tenant_id));
    return this.#mutex.run([...tenants], (waited) => this.#updateAlone(updates, waited ? undefined : found));
  }

  /**
   * Reads the documents, merges, decides and replaces those that become others by it; those that another process replaced
   * meanwhile, again, and those of which the store cannot tell.
   */
  async #updateAlone(updates: readonly TenantUpdate[], found?: Promise<Found>): Promise<void> {
    if (updates.length === 0) return;
    const open = await this.#attempt(updates, await (found ?? this.#find(updates)));
    if (open.length === 0) return;
    await untilAllHold(open, async (again) => this.#attempt(again, await this.#find(again)));
  }

  /** Answers what is to be decided again. */
  async #attempt(
    updates: readonly TenantUpdate[],
    { documents: known, locations }: Found,
  ): Promise<TenantUpdate[]> {
    const changes = await this.#decided(updates, known, locations);
    if (changes.length === 0) return [];
    const outcomes = await this.views.write(changes.map(({ before, after }) => replace(before, after)));
    const written = changes.filter((_, place) => outcomes[place]!.kind === 'written');
    const refused = changes.filter((_, place) => outcomes[place]!.kind !== 'written');
    this.#tell(written);
    const inserted = written.filter(({ before }) => before === undefined).map(({ after }) => after);
    return [...refused.map(({ update }) => update), ...(await this.#overtaken(inserted))];
  }

  #tell(written: readonly Replacement[]): void {
    const { observer } = this;
    if (observer === undefined) return;
    for (const { before, after } of written) {
      for (const decision of decisionsMade(before?.units ?? [], after.units)) observer.decided(decision);
    }
  }

  /** Those that become others, which take the others' turn where they are many. */
  async #decided(
    updates: readonly TenantUpdate[],
    known: Found['documents'],
    locations: Found['locations'],
  ): Promise<Replacement[]> {
    const clocks = await this.clocks.ofAll(updates.map(({ company_id }) => company_id));
    const changes: Replacement[] = [];
    for (const [place, update] of updates.entries()) {
      const before = known[place];
      const after = this.#next(before, update, locations, clocks.get(update.company_id)!);
      if (!isSame(before, after)) changes.push({ update, before, after });
      const pause = updates.length > 1 && this.#yielder.after(after.units.length);
      if (pause) await pause;
    }
    return changes;
  }

  /**
   * Documents that were inserted with a policy that has changed meanwhile: the change did not find them, and they had
   * no version that it could have made their writer fail on.
   */
  async #overtaken(inserted: readonly TenantAccessDocument[]): Promise<TenantUpdate[]> {
    if (inserted.length === 0) return [];
    const locations = await this.#locationsOf(inserted);
    return inserted
      .filter(({ location_id, policy_revision }) => {
        return locations.get(location_id)?.policy_revision !== policy_revision;
      })
      .map(withoutChanges);
  }

  /**
   * A policy that is known from before will do: a change of policy replaces every document of the location, so one of them
   * tells by its revision that there is a newer one, is itself replaced after this, or is inserted and looked at again
   * (docs/design.md). What is decided for the sake of a policy or of the time is decided with what is read now.
   */
  async #find(updates: readonly TenantUpdate[]): Promise<Found> {
    const ids = [...new Set(updates.map(({ location_id }) => location_id))];
    const bringNews = updates.every(({ brought }) => brought.length > 0);
    const reading = bringNews ? this.locations.known(ids) : undefined;
    reading?.catch(() => undefined);
    const documents = await this.ofTenants(updates.map(({ tenant_id }) => tenant_id));
    const locations = byId((await reading) ?? []);
    const isOverdue = documents.some(
      (one) =>
        one !== undefined && one.policy_revision > (locations.get(one.location_id)?.policy_revision ?? -1),
    );
    const suffices = bringNews && !isOverdue && locations.size === ids.length;
    return { documents, locations: suffices ? locations : await this.#locationsOf(updates) };
  }

  async #locationsOf(
    updates: readonly { readonly location_id: string }[],
  ): Promise<Map<string, LocationDocument>> {
    const ids = [...new Set(updates.map(({ location_id }) => location_id))];
    return byId(await this.locations.locations(ids));
  }

  #next(
    known: TenantAccessDocument | undefined,
    update: TenantUpdate,
    locations: ReadonlyMap<string, LocationDocument>,
    clock: CompanyClock,
  ): TenantAccessDocument {
    const { tenant_id, company_id, location_id, brought } = update;
    const location = locations.get(location_id);
    if (location === undefined) throw new Error(`Location ${location_id} has units but no document.`);
    const merged = mergeTenantUnits(known?.units ?? [], brought);
    const units = decideTenantUnits(merged, location.policy, clock.now(), this.calendar);
    return {
      _id: tenant_id,
      version: (known?.version ?? 0) + 1,
      tenant_id,
      company_id,
      location_id,
      policy_revision: location.policy_revision,
      valid_until: earliestEnd(units),
      states: statesOf(units),
      units,
    };
  }
}

function byId(locations: readonly (LocationDocument | undefined)[]): Map<string, LocationDocument> {
  return new Map(locations.flatMap((location) => (location === undefined ? [] : [[location._id, location]])));
}

/** Whether nothing is new: units of which nothing is are the very same objects, and all else but the policy follows from them. */
function isSame(
  known: TenantAccessDocument | undefined,
  { policy_revision, units }: TenantAccessDocument,
): boolean {
  return (
    known?.policy_revision === policy_revision &&
    known.units.length === units.length &&
    units.every((unit, place) => unit === known.units[place])
  );
}

function replace(known: TenantAccessDocument | undefined, document: TenantAccessDocument): DocumentWrite {
  const expected = known?.version ?? null;
  return { kind: 'compare_and_set', collection: TENANT_ACCESS.name, expected, document };
}

function withoutChanges({ _id, company_id, location_id }: TenantAccessDocument): TenantUpdate {
  return { tenant_id: _id, company_id, location_id, brought: [] };
}

/** The effect of the changes for each tenant that they name, or that has the unit now. */
function updatesOf(changes: readonly UnitChange[]): TenantUpdate[] {
  const updates = new Map<string, TenantUpdate>();
  for (const change of changes) {
    const { company_id, location_id } = change.after.state;
    for (const tenant_id of tenantsNamedIn(change)) {
      const update = updates.get(tenant_id) ?? { tenant_id, company_id, location_id, brought: [] };
      update.brought.push(toTenantUnit(tenant_id, change.stream, change.after.state));
      updates.set(tenant_id, update);
    }
  }
  return [...updates.values()];
}

function tenantsNamedIn({ events, after }: UnitChange): Set<string> {
  const tenants = new Set(events.flatMap((event) => tenantsNamed(event)));
  if (after.state.tenancy !== null) tenants.add(after.state.tenancy.tenant_id);
  return tenants;
}
