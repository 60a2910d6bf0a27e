import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Yielder } from '#kernel/yielder.js';
import { CALENDAR, VIEWS } from '#kernel/injection-tokens.js';
import { type CompanyClock, CompanyClocks } from '#domain/companies/index.js';
import type { DocumentStore, DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { everyPage } from '#eventsourcing/documents/pages.js';
import { untilAllHold } from '#eventsourcing/documents/until-it-holds.js';
import {
  type LocationDocument,
  type LocationPolicyListener,
  LocationDirectory,
} from '#domain/locations/index.js';
import type { RentedUnits, UnitChange, UnitChangeListener } from '#domain/units/index.js';
import { KeyedMutex } from '#kernel/keyed-mutex.js';
import type { Calendar } from '../core/decision.js';
import { DecisionObserver } from '../decision-observer.js';
import {
  decisionsMade,
  decideTenantUnits,
  earliestEnd,
  isDecidedAlike,
  mergeTenantUnits,
  rented,
  bearingsOf,
  statesOf,
  type TenantUnit,
} from '../core/tenant-units.js';
import { type TenantUpdate, updatesOf } from '../core/tenant-updates.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';

/** The number of documents that a sweep or a policy change reads and writes at once. */
const PAGE_SIZE = 500;

/** Mutex key for sweeps by the world's clock. No company has this id. */
const WORLD = '';

/** The reads of one attempt: the documents, and the locations whose policies decide. */
interface Reads {
  readonly documents: readonly (TenantAccessDocument | undefined)[];
  readonly locations: ReadonlyMap<string, LocationDocument>;
}

/** A tenant's document, and what the units themselves say. */
export interface CorrectedUnits {
  readonly document: TenantAccessDocument;
  readonly company_id: string;
  readonly location_id: string;
  readonly units: readonly TenantUnit[];
}

/**
 * Writes `tenant_access`. A change may be applied twice, late, or by two processes at once: each entry keeps its highest
 * revision, and each document is replaced by compare-and-set.
 */
@Injectable()
export class TenantAccessViews implements UnitChangeListener, LocationPolicyListener, RentedUnits {
  /** Keys: the id of a sandbox, or `WORLD`. */
  readonly #sweeps = new KeyedMutex();
  /** The next sweep of each key, until it begins. Calls meanwhile share it. */
  readonly #nextSweeps = new Map<string, Promise<void>>();
  readonly #yielder = new Yielder();
  /** Key: the tenant. Without it, concurrent writes of a tenant's units would keep repeating each other's work. */
  readonly #mutex = new KeyedMutex();

  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly locations: LocationDirectory,
    @Optional() private readonly observer?: DecisionObserver,
  ) {}

  /** In the order of `ids`. @throws StoreUnavailableError */
  async findDocuments(ids: readonly string[]): Promise<(TenantAccessDocument | undefined)[]> {
    return (await this.views.collection(TENANT_ACCESS)).getMany(ids);
  }

  async rentedBy(tenant_ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const documents = await this.findDocuments(tenant_ids);
    return new Map(
      tenant_ids.map((id, index) => {
        const units = rented(documents[index]?.units ?? []);
        return [id, new Set(units.map(({ stream }) => stream))];
      }),
    );
  }

  unitsChanged(changes: readonly UnitChange[]): Promise<void> {
    return this.#update(updatesOf(changes));
  }

  /**
   * Replaces the units of documents and decides them. Deletes a document without units.
   * @param renewed raises every document's version, so that cached answers become invalid
   * @returns the tenants whose documents were replaced meanwhile by somebody else
   * @throws StoreUnavailableError
   */
  async correct(corrected: readonly CorrectedUnits[], renewed: boolean): Promise<string[]> {
    const inUse = corrected.filter(({ units }) => units.length > 0);
    const locations = await this.#locationsOf(inUse);
    const clocks = await this.clocks.findClocks(inUse.map(({ company_id }) => company_id));
    const writes = corrected.flatMap(({ document, company_id, location_id, units }): DocumentWrite[] => {
      const { _id: id, version: expected } = document;
      if (units.length === 0) return [{ kind: 'delete', collection: TENANT_ACCESS.name, id, expected }];
      const update = { ...withoutChanges(document), company_id, location_id };
      const next = this.#next({ ...document, units }, update, locations, clocks.get(company_id)!);
      const isCorrect = isDeepStrictEqual({ ...next, version: document.version }, { ...document });
      return isCorrect && !renewed ? [] : [replace(document, next)];
    });
    const outcomes = writes.length === 0 ? [] : await this.views.write(writes);
    return writes
      .filter((_, index) => outcomes[index]!.kind !== 'written')
      .map((write) => (write.kind === 'delete' ? write.id : write.document._id));
  }

  /** Whether `right`, decided just before the document's end, is the document. */
  async isPastItsEnd(document: TenantAccessDocument, right: TenantAccessDocument): Promise<boolean> {
    const { valid_until, version } = document;
    const { company_id, location_id } = right;
    const now = await this.clocks.now(company_id);
    if (valid_until === null || !(valid_until <= now)) return false;
    const [location] = await this.locations.locations([location_id]);
    const units = decideTenantUnits(right.units, location!.policy, valid_until - 1, this.calendar);
    const then = { ...right, version, units, valid_until: earliestEnd(units), states: statesOf(units) };
    return isDeepStrictEqual(then, { ...document });
  }

  async policyChanged(location_id: string): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    const pages = everyPage((cursor) =>
      documents.find('by_location', { equals: [location_id], limit: PAGE_SIZE, cursor }),
    );
    for await (const page of pages) await this.#update(page.documents.map(withoutChanges));
  }

  /**
   * Decides again every document whose `valid_until` has passed. Calls that wait for a sweep by the same clock share the
   * next one: many readers at a boundary do the work once, and a sandbox delays nobody else.
   * @param company_ids limits which sandboxes are swept; absent: all
   */
  async sweep(company_ids?: readonly string[]): Promise<void> {
    await this.#share(WORLD, () => this.#sweepDue('by_valid_until', [], this.clocks.worldClock));
    const clocks = await (company_ids ? this.clocks.findClocks(company_ids) : this.clocks.sandboxClocks());
    for (const [id, { ahead }] of clocks) if (ahead > 0) await this.#share(id, () => this.#sweepSandbox(id));
  }

  #share(key: string, sweep: () => Promise<void>): Promise<void> {
    const begin = async () => {
      // The mutex may call this at once, before the map has the sweep.
      await Promise.resolve();
      this.#nextSweeps.delete(key);
      await sweep();
    };
    const next = this.#nextSweeps.get(key) ?? this.#sweeps.run([key], begin);
    this.#nextSweeps.set(key, next);
    return next;
  }

  async #sweepSandbox(company_id: string): Promise<void> {
    // Read when the sweep begins: calls that share it may have come after an advance.
    const clock = await this.clocks.findClock(company_id);
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
      const due = await documents.find(index, { equals, to: clock.now(), limit: PAGE_SIZE });
      await this.#update(due.documents.map(withoutChanges));
      hasMore = due.next_cursor !== null;
    }
  }

  #update(updates: readonly TenantUpdate[]): Promise<void> {
    // The set matters: a page may list a replaced document twice, and the same key twice would deadlock.
    const tenants = new Set(updates.map(({ tenant_id }) => tenant_id));
    return this.#mutex.run([...tenants], () => this.#updateAlone(updates));
  }

  /**
   * Reads, merges, decides and replaces documents. Repeats this for documents that another process replaced meanwhile,
   * or whose write has an unknown result.
   */
  async #updateAlone(updates: readonly TenantUpdate[]): Promise<void> {
    if (updates.length === 0) return;
    const open = await this.#attempt(updates);
    if (open.length > 0) await untilAllHold(open, (again) => this.#attempt(again));
  }

  /** @returns the updates that must be tried again */
  async #attempt(updates: readonly TenantUpdate[]): Promise<TenantUpdate[]> {
    const { documents, locations } = await this.#read(updates);
    const changes = await this.#replacements(updates, documents, locations);
    if (changes.length === 0) return [];
    const outcomes = await this.views.write(changes.map(({ before, after }) => replace(before, after)));
    const written = changes.filter((_, index) => outcomes[index]!.kind === 'written');
    const refused = changes.filter((_, index) => outcomes[index]!.kind !== 'written');
    this.#observe(written);
    const inserted = written.filter(({ before }) => before === undefined).map(({ after }) => after);
    return [...refused.map(({ update }) => update), ...(await this.#withOldPolicy(inserted))];
  }

  #observe(written: readonly Replacement[]): void {
    const { observer } = this;
    if (observer === undefined) return;
    for (const { before, after } of written) {
      for (const decision of decisionsMade(before?.units ?? [], after.units)) observer.decided(decision);
    }
  }

  /** The documents that change. Many updates pause now and then, so that other requests are served. */
  async #replacements(
    updates: readonly TenantUpdate[],
    documents: Reads['documents'],
    locations: Reads['locations'],
  ): Promise<Replacement[]> {
    const clocks = await this.clocks.findClocks(updates.map(({ company_id }) => company_id));
    const changes: Replacement[] = [];
    for (const [index, update] of updates.entries()) {
      const before = documents[index];
      const after = this.#next(before, update, locations, clocks.get(update.company_id)!);
      if (!isDecidedAlike(before, after)) changes.push({ update, before, after });
      const pause = updates.length > 1 && this.#yielder.after(after.units.length);
      if (pause) await pause;
    }
    return changes;
  }

  /**
   * Inserted documents whose policy has changed meanwhile. The change of policy could not find them, and an insert has
   * no version on which a compare-and-set could fail.
   */
  async #withOldPolicy(inserted: readonly TenantAccessDocument[]): Promise<TenantUpdate[]> {
    if (inserted.length === 0) return [];
    const locations = await this.#locationsOf(inserted);
    const isOld = ({ location_id, policy_revision }: TenantAccessDocument) =>
      locations.get(location_id)?.policy_revision !== policy_revision;
    return inserted.filter(isOld).map(withoutChanges);
  }

  /**
   * For changed units a cached policy is safe. If it is old, a document shows a higher `policy_revision`, our
   * compare-and-set fails, or the check after an insert finds it (docs/design.md). A sweep or a change of policy reads
   * the location anew.
   */
  async #read(updates: readonly TenantUpdate[]): Promise<Reads> {
    const ids = [...new Set(updates.map(({ location_id }) => location_id))];
    const haveChanges = updates.every(({ changed }) => changed.length > 0);
    const cached = haveChanges ? await this.locations.cachedLocations(ids) : [];
    const documents = await this.findDocuments(updates.map(({ tenant_id }) => tenant_id));
    const locations = byId(cached);
    const isOld = documents.some(
      (one) =>
        one !== undefined && one.policy_revision > (locations.get(one.location_id)?.policy_revision ?? -1),
    );
    const isCacheValid = haveChanges && !isOld && locations.size === ids.length;
    return { documents, locations: isCacheValid ? locations : await this.#locationsOf(updates) };
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
    const { tenant_id, company_id, location_id, changed } = update;
    const location = locations.get(location_id);
    if (location === undefined) throw new Error(`Location ${location_id} has units but no document.`);
    const merged = mergeTenantUnits(known?.units ?? [], changed);
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
      bearings: bearingsOf(units),
      units,
    };
  }
}

function byId(locations: readonly (LocationDocument | undefined)[]): Map<string, LocationDocument> {
  return new Map(locations.flatMap((location) => (location === undefined ? [] : [[location._id, location]])));
}

function replace(known: TenantAccessDocument | undefined, document: TenantAccessDocument): DocumentWrite {
  const expected = known?.version ?? null;
  return { kind: 'compare_and_set', collection: TENANT_ACCESS.name, expected, document };
}

function withoutChanges({ _id, company_id, location_id }: TenantAccessDocument): TenantUpdate {
  return { tenant_id: _id, company_id, location_id, changed: [] };
}

/** A document before and after an update. */
export interface Replacement {
  readonly update: TenantUpdate;
  readonly before: TenantAccessDocument | undefined;
  readonly after: TenantAccessDocument;
}
