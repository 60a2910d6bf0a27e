import { Inject, Injectable } from '@nestjs/common';
import { CALENDAR, CLOCK, VIEWS } from '../../config/injection-tokens.js';
import type { Clock } from '../../config/clock.js';
import type { DocumentStore, DocumentWrite, Page } from '../../documents/document-store.js';
import {
  type LocationDocument,
  type LocationPolicyListener,
  LocationDirectory,
} from '../../locations/index.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import { tenantsNamed, type UnitChange, type UnitChangeListener } from '../../units/index.js';
import { KeyedMutex } from '../../writing/keyed-mutex.js';
import { ViewsGate } from '../../writing/views-gate.js';
import type { Calendar } from '../core/decision.js';
import {
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

/** Each attempt that is lost is one that another process has won: so many at once have no place in one tenant's units. */
const ATTEMPTS = 1_000;

/** What is new for one tenant; nothing where only time or policy has moved on. */
interface TenantUpdate {
  readonly tenant_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly brought: TenantUnit[];
}

/**
 * Keeps `tenant_access`. Applying a change twice, late or beside another process changes nothing, for every unit stands
 * at its newest revision and every document is replaced by compare-and-set.
 */
@Injectable()
export class TenantAccessViews implements UnitChangeListener, LocationPolicyListener {
  #lastSweep: Promise<void> = Promise.resolve();
  /** By tenant: units of one tenant are written side by side, and each attempt decides all of them. */
  readonly #mutex = new KeyedMutex();

  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly locations: LocationDirectory,
    private readonly gate: ViewsGate,
  ) {}

  unitsChanged(changes: readonly UnitChange[]): Promise<void> {
    return this.#update(updatesOf(changes));
  }

  async policyChanged(location_id: string): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<TenantAccessDocument> = await documents.find('by_location', {
        equals: [location_id],
        limit: ROUND,
        cursor,
      });
      await this.#update(page.documents.map(withoutChanges));
      cursor = page.next_cursor;
    }
  }

  /**
   * Evaluates again every decision that the calendar has overtaken. Sweeps of this process follow one another, so that
   * many readers at a boundary do the work once.
   */
  sweep(): Promise<void> {
    const sweep = this.#lastSweep.catch(() => undefined).then(() => this.gate.shared(() => this.#sweepDue()));
    this.#lastSweep = sweep;
    return sweep;
  }

  async #sweepDue(): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    for (let hasMore = true; hasMore;) {
      const due = await documents.find('by_valid_until', { equals: [], to: this.clock.now(), limit: ROUND });
      await this.#update(due.documents.map(withoutChanges));
      hasMore = due.next_cursor !== null;
    }
  }

  #update(updates: readonly TenantUpdate[]): Promise<void> {
    // A server may list a document twice that is replaced meanwhile; work that names a key twice waits for itself.
    const tenants = new Set(updates.map(({ tenant_id }) => tenant_id));
    return this.#mutex.run([...tenants], () => this.#updateAlone(updates));
  }

  /**
   * Reads the documents, merges, decides and replaces those that become others by it; those that another process replaced
   * meanwhile, again, and those of which the store cannot tell.
   */
  async #updateAlone(updates: readonly TenantUpdate[]): Promise<void> {
    let open = updates;
    for (let attempt = 1; open.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS) {
        throw new StoreUnavailableError(
          "The tenants' documents kept changing while they were decided.",
          true,
        );
      }
      open = await this.#attempt(open);
    }
  }

  /** Answers what is to be decided again. */
  async #attempt(updates: readonly TenantUpdate[]): Promise<TenantUpdate[]> {
    const documents = await this.views.collection(TENANT_ACCESS);
    const known = await documents.getMany(updates.map(({ tenant_id }) => tenant_id));
    const locations = await this.#locationsOf(updates);
    const changes = updates.flatMap((update, place) => {
      const before = known[place];
      const after = this.#next(before, update, locations);
      return isSame(before, after) ? [] : [{ update, before, after }];
    });
    if (changes.length === 0) return [];
    const outcomes = await this.views.write(changes.map(({ before, after }) => replace(before, after)));
    const written = changes.filter((_, place) => outcomes[place]!.kind === 'written');
    const refused = changes.filter((_, place) => outcomes[place]!.kind !== 'written');
    const inserted = written.filter(({ before }) => before === undefined).map(({ after }) => after);
    return [...refused.map(({ update }) => update), ...(await this.#overtaken(inserted))];
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

  /** Policies are read after the documents they are applied to: a change of policy replaces those (docs/design.md). */
  async #locationsOf(
    updates: readonly { readonly location_id: string }[],
  ): Promise<Map<string, LocationDocument>> {
    const ids = [...new Set(updates.map(({ location_id }) => location_id))];
    const found = await this.locations.locations(ids);
    return new Map(found.flatMap((location) => (location === undefined ? [] : [[location._id, location]])));
  }

  #next(
    known: TenantAccessDocument | undefined,
    update: TenantUpdate,
    locations: ReadonlyMap<string, LocationDocument>,
  ): TenantAccessDocument {
    const { tenant_id, company_id, location_id, brought } = update;
    const location = locations.get(location_id);
    if (location === undefined) throw new Error(`Location ${location_id} has units but no document.`);
    const merged = mergeTenantUnits(known?.units ?? [], brought);
    const units = decideTenantUnits(merged, location.policy, this.clock.now(), this.calendar);
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

/** What the changes mean for each tenant that they name, or that has the unit now. */
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
