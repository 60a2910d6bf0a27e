import { Inject, Injectable } from '@nestjs/common';
import { CALENDAR, CLOCK, VIEWS } from '../../config/injection-tokens.js';
import type { Clock } from '../../config/clock.js';
import type { DocumentStore, DocumentWrite } from '../../documents/document-store.js';
import { ViewsGate } from '../../writing/views-gate.js';
import {
  DEFAULT_POLICY,
  type LocationDocument,
  type LocationPolicyListener,
  SiteDirectory,
} from '../../sites/index.js';
import { tenantsNamed, type UnitChange, type UnitChangeListener } from '../../units/index.js';
import type { AccessState, Calendar } from '../core/decision.js';
import { evaluate } from '../core/policy.js';
import { decideTenantUnits, earliestEnd, mergeTenantUnits, toTenantUnit } from '../core/tenant-units.js';
import { UNIT_ACCESS } from '../unit-access/unit-access.documents.js';
import { type BroughtUnit, rowOf, rowsToWrite } from '../unit-access/unit-access.rows.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';

/** How many documents one round of a sweep or of a policy change takes up. */
const ROUND = 500;

/** What is new for one tenant; nothing where only time or policy has moved on. */
interface TenantUpdate {
  readonly tenant_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly brought: BroughtUnit[];
}

/**
 * Keeps `tenant_access` and the rows of `unit_access`. Applying a change twice, late or beside another process changes
 * nothing, for every unit stands at its newest revision and every document is replaced by compare-and-set.
 */
@Injectable()
export class TenantAccessViews implements UnitChangeListener, LocationPolicyListener {
  #lastSweep: Promise<void> = Promise.resolve();

  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly sites: SiteDirectory,
    private readonly gate: ViewsGate,
  ) {}

  async unitsChanged(changes: readonly UnitChange[]): Promise<void> {
    const rows = changes
      .filter(({ after }) => after.state.tenancy === null)
      .map((change) => rowOf(change, this.#stateWithoutTenant(change)));
    await Promise.all([this.#update(updatesOf(changes)), this.#writeRows(rows)]);
  }

  async policyChanged(location_id: string): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    let cursor: string | null = null;
    do {
      const page = await documents.find('by_location', {
        equals: [location_id],
        limit: ROUND,
        ...(cursor === null ? {} : { cursor }),
      });
      await this.#update(page.documents.map(withoutChanges));
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /**
   * Evaluates again every decision that the calendar has overtaken. Sweeps of this process follow one another, so that
   * many readers at a boundary do the work once.
   */
  sweep(): Promise<void> {
    const sweep = this.#lastSweep.catch(() => undefined).then(() => this.gate.pass(() => this.#sweepDue()));
    this.#lastSweep = sweep;
    return sweep;
  }

  async #sweepDue(): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    for (;;) {
      const due = await documents.find('by_valid_until', { equals: [], to: this.clock.now(), limit: ROUND });
      if (due.documents.length === 0) return;
      await this.#update(due.documents.map(withoutChanges));
    }
  }

  /**
   * Reads the documents, merges, decides and replaces them; those that another writer replaced meanwhile, again, and
   * those of which the store cannot tell: their rows are then written again as well (`rowsToWrite`). A document that
   * is due stays so until its rows are written: no list is read between the two. Without a bound: whoever must go on
   * has met others who have stored theirs, and everybody has done so in the end.
   */
  async #update(updates: TenantUpdate[]): Promise<void> {
    if (updates.length === 0) return;
    const documents = await this.views.collection(TENANT_ACCESS);
    for (let open = updates; open.length > 0;) {
      const known = await documents.getMany(open.map(({ tenant_id }) => tenant_id));
      const locations = await this.#locationsOf(open);
      const next = open.map((update, place) => this.#next(known[place], update, locations));
      const outcomes = await this.views.write(next.map((document, place) => replace(known[place], document)));
      const done = next.map((_, place) => outcomes[place]!.kind === 'written');
      await this.#writeRows(
        next.flatMap((document, place) =>
          // A document that is due may come from a sweep that wrote no rows, and this write takes the mark away.
          done[place]
            ? rowsToWrite(isDue(document) ? undefined : known[place], document, open[place]!.brought)
            : [],
        ),
      );
      const due = next.filter((document, place) => done[place] && isDue(document));
      if (due.length > 0) await this.views.write(due.map(noLongerDue));
      const inserted = next.filter((_, place) => done[place] && known[place] === undefined);
      open = [...open.filter((_, place) => !done[place]), ...(await this.#overtaken(inserted))];
    }
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
    const found = await this.sites.locations(ids);
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
    const merged = mergeTenantUnits(
      known?.units ?? [],
      brought.map(({ unit }) => unit),
    );
    const now = this.clock.now();
    const units = decideTenantUnits(merged, location.policy, now, this.calendar);
    return {
      _id: tenant_id,
      version: (known?.version ?? 0) + 1,
      company_id,
      location_id,
      policy_revision: location.policy_revision,
      valid_until:
        known?.valid_until != null && known.valid_until <= now ? known.valid_until : earliestEnd(units),
      units,
    };
  }

  /** Of a unit that nobody rents: no policy, no calendar and no other unit has a say in it. */
  #stateWithoutTenant({ after }: UnitChange): AccessState {
    const input = { unit: after.state, siblings: [], policy: DEFAULT_POLICY, now: this.clock.now() };
    return evaluate(input, this.calendar).state;
  }

  async #writeRows(rows: readonly DocumentWrite[]): Promise<void> {
    if (rows.length === 0) return;
    await this.views.collection(UNIT_ACCESS);
    await this.views.write(rows);
  }
}

function replace(known: TenantAccessDocument | undefined, document: TenantAccessDocument): DocumentWrite {
  const expected = known?.version ?? null;
  return { kind: 'compare_and_set', collection: TENANT_ACCESS.name, expected, document };
}

/** Whether the index by time says of a document something else than the end of its decisions. */
function isDue({ valid_until, units }: TenantAccessDocument): boolean {
  return valid_until !== earliestEnd(units);
}

/** A document whose rows are written. Refused where another writer was faster. */
function noLongerDue(swept: TenantAccessDocument): DocumentWrite {
  const { version, units } = swept;
  return replace(swept, { ...swept, version: version + 1, valid_until: earliestEnd(units) });
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
      const unit = toTenantUnit(tenant_id, change.stream, change.after.state);
      update.brought.push({ unit, since: change.events[0]?.revision ?? unit.revision });
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
