import { Inject, Injectable, Optional } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '../config/ports.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore } from '../eventing/event-store.js';
import { foldOnto, toDomainEvent } from '../eventing/stored-stream.js';
import type { Snapshot, StoredDomainEvent, StreamChange, StreamKind } from '../eventing/stream-kind.js';
import { SITE_CATEGORY, SITE_EVENT_SCHEMA } from './core/site.events.js';
import type { SiteEvent } from './core/site.events.js';
import { evolveSite } from './core/site.state.js';
import type { SiteState } from './core/site.state.js';
import { SITE_VIEWS } from './site.documents.js';
import { LOCATION_POLICY_LISTENER } from './site.ports.js';
import type { LocationPolicyListener } from './site.ports.js';
import { viewWrites } from './site.views.js';

/** How many companies' folds are kept in memory; any other is folded again from its stream. */
const MOST_REMEMBERED = 500;

/**
 * The streams `site-{company_id}`. Folds live in memory and are brought up to date from the stream's tail, so that
 * several processes may write; the views are documents guarded by revision.
 */
@Injectable()
export class SiteStreams implements StreamKind<SiteState, SiteEvent> {
  readonly category = SITE_CATEGORY;
  readonly schema = SITE_EVENT_SCHEMA;

  /** In order of use, the longest unused first. */
  readonly #folds = new Map<string, Snapshot<SiteState>>();
  /** Streams whose stored events could not be shown in the views, from which revision on. */
  readonly #unprojected = new Map<string, number>();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Optional() @Inject(LOCATION_POLICY_LISTENER) private readonly listener?: LocationPolicyListener,
  ) {}

  evolve(state: SiteState | undefined, event: SiteEvent, revision: number): SiteState {
    return evolveSite(state, event, revision);
  }

  async load(streams: readonly string[]): Promise<(Snapshot<SiteState> | undefined)[]> {
    return Promise.all(streams.map((stream) => this.#load(stream)));
  }

  async project(changes: readonly StreamChange<SiteState, SiteEvent>[]): Promise<void> {
    for (const { stream, after } of changes) this.#remember(stream, after);
    try {
      await this.#show(changes);
    } catch (error) {
      for (const { stream, events } of changes) this.#failed(stream, events[0]?.revision ?? 0);
      throw error;
    }
  }

  async #load(stream: string): Promise<Snapshot<SiteState> | undefined> {
    const known = this.#folds.get(stream);
    const tail = await this.#read(stream, (known?.revision ?? -1) + 1);
    const snapshot = foldOnto(this, known, tail);
    if (snapshot === undefined) return undefined;
    this.#remember(stream, snapshot);
    await this.#heal(stream, snapshot);
    return snapshot;
  }

  /**
   * The client of a write whose views failed was told to try again. Its retry will find nothing left to change and
   * be answered at once, so what the views still lack is shown to them first.
   */
  async #heal(stream: string, after: Snapshot<SiteState>): Promise<void> {
    const from = this.#unprojected.get(stream);
    if (from === undefined) return;
    const events = await this.#read(stream, from);
    await this.#show([{ stream, events, after }]);
    if (this.#unprojected.get(stream) === from) this.#unprojected.delete(stream);
  }

  async #show(changes: readonly StreamChange<SiteState, SiteEvent>[]): Promise<void> {
    const writes = changes.flatMap(({ events, after }) => viewWrites(events, after.state));
    if (writes.length > 0) {
      for (const declaration of SITE_VIEWS) await this.views.collection<never>(declaration as never);
      await this.views.write(writes);
    }
    if (this.listener === undefined) return;
    // Told even where the document was not newer: an attempt before this one may have ended just before telling.
    for (const location_id of changedPolicies(changes)) await this.listener.policyChanged(location_id);
  }

  async #read(stream: string, from: number): Promise<StoredDomainEvent<SiteEvent>[]> {
    const recorded = await this.store.readStream(stream, { from });
    return recorded.map((event) =>
      toDomainEvent<SiteEvent>(this as unknown as StreamKind<unknown, SiteEvent>, event),
    );
  }

  #remember(stream: string, snapshot: Snapshot<SiteState>): void {
    const known = this.#folds.get(stream);
    this.#folds.delete(stream);
    this.#folds.set(stream, known !== undefined && known.revision > snapshot.revision ? known : snapshot);
    const oldest = this.#folds.keys().next();
    if (this.#folds.size > MOST_REMEMBERED && oldest.done !== true) this.#folds.delete(oldest.value);
  }

  #failed(stream: string, revision: number): void {
    this.#unprojected.set(stream, Math.min(revision, this.#unprojected.get(stream) ?? revision));
  }
}

function changedPolicies(changes: readonly StreamChange<SiteState, SiteEvent>[]): Set<string> {
  const locations = new Set<string>();
  for (const event of changes.flatMap(({ events }) => events)) {
    if (event.type === 'LocationPolicyChanged') locations.add(event.data.location_id);
  }
  return locations;
}
