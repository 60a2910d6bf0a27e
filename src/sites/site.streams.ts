import { Inject, Injectable, Optional } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore, DocumentWrite } from '../documents/document-store.js';
import type { EventStore } from '../log/event-store.js';
import { foldOnto, toDomainEvent } from '../writing/stored-stream.js';
import type { StoredDomainEvent } from '../log/domain-event.js';
import type { Snapshot, StreamChange, StreamKind } from '../writing/stream-kind.js';
import { SITE_CATEGORY, SITE_EVENT_SCHEMA } from './core/site.events.js';
import type { SiteEvent } from './core/site.events.js';
import { evolveSite } from './core/site.state.js';
import type { SiteState } from './core/site.state.js';
import type { SiteHeadDocument } from './site.documents.js';
import { SITE_HEADS, SITE_VIEWS } from './site.documents.js';
import { LOCATION_POLICY_LISTENER } from './site.ports.js';
import type { LocationPolicyListener } from './site.ports.js';
import { viewWrites } from './site.views.js';

/** How many companies' folds are kept in memory; any other is folded again from its stream. */
const MOST_REMEMBERED = 500;

/**
 * The streams `site-{company_id}`. Folds live in memory and are brought up to date from the stream's tail, so that
 * several processes may write. The views are documents guarded by revision, and one that says how far they go.
 */
@Injectable()
export class SiteStreams implements StreamKind<SiteState, SiteEvent> {
  readonly category = SITE_CATEGORY;
  readonly schema = SITE_EVENT_SCHEMA;

  /** In order of use, the longest unused first. */
  readonly #folds = new Map<string, Snapshot<SiteState>>();

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
    await this.#show(changes);
  }

  /**
   * The fold comes from the log, where a change may stand that nobody could show yet. A decision made on it may find
   * nothing left to change and be answered at once, so what the views still lack is shown first.
   */
  async #load(stream: string): Promise<Snapshot<SiteState> | undefined> {
    const known = this.#folds.get(stream);
    const tail = await this.#read(stream, (known?.revision ?? -1) + 1);
    const snapshot = foldOnto(this, known, tail);
    if (snapshot === undefined) return undefined;
    this.#remember(stream, snapshot);
    await this.#show([{ stream, events: [], after: snapshot }]);
    return snapshot;
  }

  /** Shows the changes and whatever before them is not shown yet, and then notes how far that goes. */
  async #show(changes: readonly StreamChange<SiteState, SiteEvent>[]): Promise<void> {
    const heads = await this.#heads(changes);
    const whole = await Promise.all(changes.map((change, place) => this.#complete(change, heads[place]!)));
    await this.#write(whole.flatMap(({ events, after }) => viewWrites(events, after.state)));
    await this.#tellPolicies(whole.flatMap(({ events }, place) => newerThan(heads[place]!, events)));
    await this.#write(
      changes.filter((change, place) => change.after.revision > heads[place]!).map(headWrite),
    );
  }

  /** Up to which revision each change's stream is shown; -1 for not at all. */
  async #heads(changes: readonly StreamChange<SiteState, SiteEvent>[]): Promise<number[]> {
    const companies = changes.map(({ after: { state } }) => state.company_id);
    const heads = await (await this.views.collection(SITE_HEADS)).getMany(companies);
    return heads.map((head) => head?.revision ?? -1);
  }

  /** The change with every event that is not shown yet, up to its fold. */
  async #complete(
    change: StreamChange<SiteState, SiteEvent>,
    shown: number,
  ): Promise<StreamChange<SiteState, SiteEvent>> {
    const last = change.after.revision;
    if (newerThan(shown, change.events).length >= last - shown) return change;
    const missing = await this.#read(change.stream, shown + 1);
    const events = [
      ...change.events.filter(({ revision }) => revision <= shown),
      ...missing.filter(({ revision }) => revision <= last),
    ];
    return { ...change, events };
  }

  async #write(writes: readonly DocumentWrite[]): Promise<void> {
    if (writes.length === 0) return;
    for (const declaration of SITE_VIEWS) await this.views.collection<never>(declaration as never);
    await this.views.write(writes);
  }

  async #tellPolicies(events: readonly SiteEvent[]): Promise<void> {
    if (this.listener === undefined) return;
    for (const location_id of changedPolicies(events)) await this.listener.policyChanged(location_id);
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
}

function newerThan<Event extends { readonly revision: number }>(
  shown: number,
  events: readonly Event[],
): readonly Event[] {
  return events.filter(({ revision }) => revision > shown);
}

function headWrite({ after: { state, revision } }: StreamChange<SiteState, SiteEvent>): DocumentWrite {
  const document: SiteHeadDocument = { _id: state.company_id, revision };
  return { kind: 'put_if_newer', collection: SITE_HEADS.name, document };
}

function changedPolicies(events: readonly SiteEvent[]): Set<string> {
  const locations = new Set<string>();
  for (const event of events) {
    if (event.type === 'LocationPolicyChanged') locations.add(event.data.location_id);
  }
  return locations;
}
