import { Inject, Injectable, Optional } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore, DocumentWrite } from '../documents/document-store.js';
import type { EventStore } from '../log/event-store.js';
import type { Projection, Snapshot, StreamChange } from '../writing/aggregate.js';
import { foldOnto, readFrom } from '../writing/stored-stream.js';
import type { StoredDomainEvent } from '../log/domain-event.js';
import type { LocationEvent } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { LOCATION } from './location.aggregate.js';
import type { LocationHeadDocument } from './location.documents.js';
import { LOCATION_HEADS, LOCATION_VIEWS } from './location.documents.js';
import { LOCATION_POLICY_LISTENER } from './location.ports.js';
import type { LocationPolicyListener } from './location.ports.js';
import { viewWrites } from './location.views.js';

/** How many locations' folds are kept in memory; any other is folded again from its stream. */
const MOST_REMEMBERED = 500;

/**
 * The streams `location-{location_id}`. Folds live in memory and are brought up to date from the stream's tail, so that
 * several processes may write. The views are documents guarded by revision, and one that says how far they go.
 */
@Injectable()
export class LocationProjection implements Projection<LocationState, LocationEvent> {
  readonly fold = LOCATION;

  /** In order of use, the longest unused first. */
  readonly #folds = new Map<string, Snapshot<LocationState>>();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Optional() @Inject(LOCATION_POLICY_LISTENER) private readonly listener?: LocationPolicyListener,
  ) {}

  async load(streams: readonly string[]): Promise<(Snapshot<LocationState> | undefined)[]> {
    return Promise.all(streams.map((stream) => this.#load(stream)));
  }

  async project(changes: readonly StreamChange<LocationState, LocationEvent>[]): Promise<void> {
    for (const { stream, after } of changes) this.#remember(stream, after);
    await this.#show(changes);
  }

  /**
   * The fold comes from the log, where a change may stand that nobody could show yet. A decision made on it may find
   * nothing left to change and be answered at once, so what the views still lack is shown first.
   */
  async #load(stream: string): Promise<Snapshot<LocationState> | undefined> {
    const known = this.#folds.get(stream);
    const tail = await this.#read(stream, (known?.revision ?? -1) + 1);
    const snapshot = foldOnto(LOCATION, known, tail);
    if (snapshot === undefined) return undefined;
    this.#remember(stream, snapshot);
    await this.#show([{ stream, events: [], after: snapshot }]);
    return snapshot;
  }

  /** Shows the changes and whatever before them is not shown yet, and then notes how far that goes. */
  async #show(changes: readonly StreamChange<LocationState, LocationEvent>[]): Promise<void> {
    const heads = await this.#heads(changes);
    const whole = await Promise.all(changes.map((change, place) => this.#complete(change, heads[place]!)));
    await this.#write(whole.flatMap(({ events, after }) => viewWrites(events, after.state)));
    await this.#tellPolicies(whole.filter(({ events }, place) => hasNewPolicy(heads[place]!, events)));
    await this.#write(
      changes.filter((change, place) => change.after.revision > heads[place]!).map(headWrite),
    );
  }

  /** Up to which revision each change's stream is shown; -1 for not at all. */
  async #heads(changes: readonly StreamChange<LocationState, LocationEvent>[]): Promise<number[]> {
    const ids = changes.map(({ after: { state } }) => state.details.location_id);
    const heads = await (await this.views.collection(LOCATION_HEADS)).getMany(ids);
    return heads.map((head) => head?.revision ?? -1);
  }

  /** The change with every event that is not shown yet, up to its fold. */
  async #complete(
    change: StreamChange<LocationState, LocationEvent>,
    shown: number,
  ): Promise<StreamChange<LocationState, LocationEvent>> {
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
    for (const declaration of LOCATION_VIEWS) await this.views.collection<never>(declaration as never);
    await this.views.write(writes);
  }

  async #tellPolicies(changes: readonly StreamChange<LocationState, LocationEvent>[]): Promise<void> {
    for (const { after } of changes) await this.listener?.policyChanged(after.state.details.location_id);
  }

  #read(stream: string, from: number): Promise<StoredDomainEvent<LocationEvent>[]> {
    return readFrom<LocationEvent>(this.store, LOCATION, stream, from);
  }

  #remember(stream: string, snapshot: Snapshot<LocationState>): void {
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

function headWrite({
  after: { state, revision },
}: StreamChange<LocationState, LocationEvent>): DocumentWrite {
  const document: LocationHeadDocument = { _id: state.details.location_id, revision };
  return { kind: 'put_if_newer', collection: LOCATION_HEADS.name, document };
}

function hasNewPolicy(shown: number, events: readonly StoredDomainEvent<LocationEvent>[]): boolean {
  return newerThan(shown, events).some(({ type }) => type === 'LocationPolicyChanged');
}
