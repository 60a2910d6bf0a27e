import { isDeepStrictEqual } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { everyDocument } from '#eventsourcing/documents/pages.js';
import { untilAllHold } from '#eventsourcing/documents/until-it-holds.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { locationStream } from '#domain/locations/index.js';
import type { DerivedView } from '#eventsourcing/projecting/derived-view.js';
import {
  tenantsNamed,
  toSnapshot,
  UNIT,
  type UnitEvent,
  type UnitState,
  UNITS,
} from '#domain/units/index.js';
import { foldOnto, readFrom } from '#eventsourcing/writing/stored-stream.js';
import { type TenantUnit, toTenantUnit } from '../core/tenant-units.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';
import { type CorrectedUnits, TenantAccessViews } from './tenant-access.views.js';

const PAGE_SIZE = 500;

/**
 * Corrects `tenant_access` by the units' own documents, at the end of a rebuild. It removes units that the tenant never
 * had, and documents without units.
 */
@Injectable()
export class TenantAccessCheck implements DerivedView<TenantAccessDocument> {
  readonly collection = TENANT_ACCESS;

  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly access: TenantAccessViews,
  ) {}

  /**
   * @param renewed true if documents that answers depend on were corrected: every version then grows, so entity tags change
   * @throws StoreUnavailableError, and the signal's reason once it is aborted
   */
  async run(renewed: boolean, signal: AbortSignal): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    for await (const page of everyDocument(documents, PAGE_SIZE)) {
      await untilAllHold(page, (open) => this.#check(open, renewed));
      signal.throwIfAborted();
      await setImmediate();
    }
  }

  async correctSome(ids: readonly string[]): Promise<void> {
    const found = (await this.access.findDocuments(ids)).filter((document) => document !== undefined);
    await untilAllHold(found, (open) => (open.length === 0 ? Promise.resolve([]) : this.#check(open, false)));
  }

  sourcesOf({ location_id, units }: TenantAccessDocument): readonly string[] {
    return [locationStream(location_id), ...units.map(({ stream }) => stream)];
  }

  withStoredRevisions(stored: TenantAccessDocument, right: TenantAccessDocument): TenantAccessDocument {
    const known = new Map(stored.units.map((unit) => [unit.unit_id, unit]));
    const units = right.units.map((unit) => {
      const entry = known.get(unit.unit_id);
      return entry !== undefined && isSameBesideTenancy(entry, unit) ? entry : unit;
    });
    return { ...right, units };
  }

  isBehind(stored: TenantAccessDocument, right: TenantAccessDocument): boolean {
    const known = new Map(stored.units.map(({ unit_id, revision }) => [unit_id, revision]));
    return (
      stored.policy_revision < right.policy_revision ||
      right.units.some(({ unit_id, revision }) => (known.get(unit_id) ?? -1) < revision)
    );
  }

  isPastItsEnd(stored: TenantAccessDocument, right: TenantAccessDocument): Promise<boolean> {
    return this.access.isPastItsEnd(stored, right);
  }

  /** @returns the documents that a write replaced meanwhile */
  async #check(page: readonly TenantAccessDocument[], renewed: boolean): Promise<TenantAccessDocument[]> {
    const states = await this.#states(page);
    const corrected: CorrectedUnits[] = [];
    for (const document of page) {
      const units = await this.#unitsOf(document, states);
      const { company_id, location_id } = states.get(units[0]?.stream ?? '') ?? document;
      corrected.push({ document, company_id, location_id, units });
    }
    const missed = await this.access.correct(corrected, renewed);
    const found = missed.length === 0 ? [] : await this.access.findDocuments(missed);
    return found.filter((document) => document !== undefined);
  }

  /** The states of the units that the documents name, by stream. Read after the documents, so never older. */
  async #states(page: readonly TenantAccessDocument[]): Promise<ReadonlyMap<string, UnitState>> {
    const named = new Map<string, number>();
    for (const { units } of page) {
      for (const { stream, revision } of units)
        named.set(stream, Math.max(revision, named.get(stream) ?? -1));
    }
    const streams = [...named.keys()];
    const documents = await (await this.views.collection(UNITS)).getMany(streams, { isScan: true });
    const states = new Map<string, UnitState>();
    for (const [index, stream] of streams.entries()) {
      const document = documents[index];
      // The tenant's document is written before the unit's own. If the latter is behind, only the log is sure.
      const isBehind = document === undefined || document.revision < named.get(stream)!;
      const state = isBehind ? await this.#stateFromLog(stream) : toSnapshot(document).state;
      if (state !== undefined) states.set(stream, state);
    }
    return states;
  }

  async #stateFromLog(stream: string): Promise<UnitState | undefined> {
    return foldOnto(UNIT, undefined, await readFrom(this.store, UNIT, stream, 0))?.state;
  }

  /** The correct entries of a tenant. An entry that was correct is returned as the same object. */
  async #unitsOf(
    { _id, units }: TenantAccessDocument,
    states: ReadonlyMap<string, UnitState>,
  ): Promise<readonly TenantUnit[]> {
    const correct: TenantUnit[] = [];
    for (const known of units) {
      const state = states.get(known.stream);
      if (state === undefined) continue;
      const unit = toTenantUnit(_id, known.stream, state);
      if (isSame(known, unit)) correct.push(known);
      else if (unit.relationship !== 'former' || (await this.#everHad(_id, known.stream))) correct.push(unit);
    }
    return correct;
  }

  /** Whether an event of the unit names the tenant. */
  async #everHad(tenant_id: string, stream: string): Promise<boolean> {
    const events = await readFrom<UnitEvent>(this.store, UNIT, stream, 0);
    return events.some((event) => tenantsNamed(event).includes(tenant_id));
  }
}

/** Whether the stored entry is correct. */
function isSame(known: TenantUnit, unit: TenantUnit): boolean {
  if (known.relationship !== 'primary' || unit.relationship !== 'primary')
    return isSameBesideTenancy(known, unit);
  return isDeepStrictEqual({ ...known, decision: null }, { ...unit, decision: null });
}

/** A unit that is shared, or was had before, changes without its tenant's document. So the entry may have an older revision. */
function isSameBesideTenancy(known: TenantUnit, unit: TenantUnit): boolean {
  return (
    known.relationship !== 'primary' &&
    known.relationship === unit.relationship &&
    endOf(known) === endOf(unit) &&
    known.revision <= unit.revision
  );
}

/** When a share ends by itself. */
function endOf(unit: TenantUnit): number | null {
  return unit.relationship === 'shared' ? unit.until : null;
}
