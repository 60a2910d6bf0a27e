import { isDeepStrictEqual } from 'node:util';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import { untilAllHold } from '../../documents/until-it-holds.js';
import type { EventStore } from '../../log/event-store.js';
import { tenantsNamed, toSnapshot, UNIT, type UnitEvent, type UnitState, UNITS } from '../../units/index.js';
import { foldOnto, readFrom } from '../../writing/stored-stream.js';
import { type TenantUnit, toTenantUnit } from '../core/tenant-units.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';
import { TenantAccessViews } from './tenant-access.views.js';

const ROUND = 500;

/**
 * Corrects `tenant_access` by the units' own documents, at the end of a rebuild. A unit that the tenant never had goes; a
 * document without any unit is removed.
 */
@Injectable()
export class TenantAccessCheck {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly access: TenantAccessViews,
  ) {}

  /**
   * @param renewed documents that these follow from were corrected: each gets its next version, and with it its entity tag
   * @throws StoreUnavailableError, and the signal's reason once it is aborted
   */
  async run(renewed: boolean, signal: AbortSignal): Promise<void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    for (let after: string | undefined; ;) {
      const page = await documents.page(after, ROUND);
      if (page.length === 0) return;
      after = page.at(-1)!._id;
      await untilAllHold(page, (open) => this.#check(open, renewed));
      signal.throwIfAborted();
      await nextTurn();
    }
  }

  /** Answers documents that the service wrote meanwhile. */
  async #check(page: readonly TenantAccessDocument[], renewed: boolean): Promise<TenantAccessDocument[]> {
    const states = await this.#states(page);
    const corrected: { document: TenantAccessDocument; units: readonly TenantUnit[] }[] = [];
    for (const document of page) corrected.push({ document, units: await this.#unitsOf(document, states) });
    const missed = await this.access.correct(corrected, renewed);
    const found = missed.length === 0 ? [] : await this.access.ofTenants(missed);
    return found.filter((document) => document !== undefined);
  }

  /** The units that the documents name, by stream; read after the documents. */
  async #states(page: readonly TenantAccessDocument[]): Promise<ReadonlyMap<string, UnitState>> {
    const named = new Map<string, number>();
    for (const { units } of page) {
      for (const { stream, revision } of units)
        named.set(stream, Math.max(revision, named.get(stream) ?? -1));
    }
    const streams = [...named.keys()];
    const documents = await (await this.views.collection(UNITS)).getMany(streams);
    const states = new Map<string, UnitState>();
    for (const [place, stream] of streams.entries()) {
      const document = documents[place];
      // The tenant's document is written before the unit's own: the log knows which of them is right.
      const isBehind = document === undefined || document.revision < named.get(stream)!;
      const state = isBehind ? await this.#fold(stream) : toSnapshot(document).state;
      if (state !== undefined) states.set(stream, state);
    }
    return states;
  }

  async #fold(stream: string): Promise<UnitState | undefined> {
    return foldOnto(UNIT, undefined, await readFrom(this.store, UNIT, stream, 0))?.state;
  }

  /** A tenant's units as they are. What is right already stays the very same object. */
  async #unitsOf(
    { _id, units }: TenantAccessDocument,
    states: ReadonlyMap<string, UnitState>,
  ): Promise<readonly TenantUnit[]> {
    const right: TenantUnit[] = [];
    for (const known of units) {
      const state = states.get(known.stream);
      if (state === undefined) continue;
      const unit = toTenantUnit(_id, known.stream, state);
      if (isSame(known, unit)) right.push(known);
      else if (unit.relationship !== 'former' || (await this.#hadIt(_id, known.stream))) right.push(unit);
    }
    return right;
  }

  /** Whether the log names the tenant as somebody who once had the unit. */
  async #hadIt(tenant_id: string, stream: string): Promise<boolean> {
    const events = await readFrom<UnitEvent>(this.store, UNIT, stream, 0);
    return events.some((event) => tenantsNamed(event).includes(tenant_id));
  }
}

/** A change that does not concern who shares a unit, or had it, is not entered there. */
function isSame(known: TenantUnit, unit: TenantUnit): boolean {
  if (known.relationship !== 'primary' || unit.relationship !== 'primary')
    return known.relationship === unit.relationship && known.revision <= unit.revision;
  return isDeepStrictEqual({ ...known, decision: null }, { ...unit, decision: null });
}
