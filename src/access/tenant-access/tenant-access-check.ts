import { isDeepStrictEqual } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import { everyDocument } from '../../documents/pages.js';
import { untilAllHold } from '../../documents/until-it-holds.js';
import type { EventStore } from '../../log/event-store.js';
import { tenantsNamed, toSnapshot, UNIT, type UnitEvent, type UnitState, UNITS } from '../../units/index.js';
import { foldOnto, readFrom } from '../../writing/stored-stream.js';
import { type TenantUnit, toTenantUnit } from '../core/tenant-units.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';
import { TenantAccessViews } from './tenant-access.views.js';

const PAGE_SIZE = 500;

/**
 * Corrects `tenant_access` by the units' own documents, at the end of a rebuild. It removes units that the tenant never
 * had, and documents without units.
 */
@Injectable()
export class TenantAccessCheck {
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

  /** @returns the documents that a write replaced meanwhile */
  async #check(page: readonly TenantAccessDocument[], renewed: boolean): Promise<TenantAccessDocument[]> {
    const states = await this.#states(page);
    const corrected: { document: TenantAccessDocument; units: readonly TenantUnit[] }[] = [];
    for (const document of page) corrected.push({ document, units: await this.#unitsOf(document, states) });
    const missed = await this.access.correct(corrected, renewed);
    const found = missed.length === 0 ? [] : await this.access.ofTenants(missed);
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
    const documents = await (await this.views.collection(UNITS)).getMany(streams);
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

/** Whether the stored entry is correct. Entries of shared and former units may have an older revision than the unit. */
function isSame(known: TenantUnit, unit: TenantUnit): boolean {
  if (known.relationship !== 'primary' || unit.relationship !== 'primary')
    return known.relationship === unit.relationship && known.revision <= unit.revision;
  return isDeepStrictEqual({ ...known, decision: null }, { ...unit, decision: null });
}
