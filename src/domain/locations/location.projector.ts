import { Inject, Injectable, Optional } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore, DocumentWrite } from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { type Projector, checkedByRebuild, type StreamChange } from '#eventsourcing/writing/projector.js';
import { readFrom } from '#eventsourcing/writing/stored-stream.js';
import type { StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import { type LocationEvent, locationStream } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { LOCATION } from './location.aggregate.js';
import type { LocationHeadDocument } from './location.documents.js';
import {
  LOCATION_HEADS,
  LOCATION_VIEWS,
  LOCATIONS,
  LOCKS,
  REMOVED_EQUIPMENT,
  UNIT_ZONES_AND_LOCKS,
} from './location.documents.js';
import { LocationStates } from './location.states.js';
import { LocationPolicyListener } from './location.ports.js';
import { viewWrites } from './location.views.js';

/** Projects streams `location-{location_id}`. The location's head is written last: it says that all others are done. */
@Injectable()
export class LocationProjector implements Projector<LocationState, LocationEvent> {
  readonly fold = LOCATION;
  readonly documents = [
    checkedByRebuild(LOCATIONS, ({ _id }) => locationStream(_id)),
    checkedByRebuild(LOCKS, ({ location_id }) => locationStream(location_id)),
    checkedByRebuild(UNIT_ZONES_AND_LOCKS, ({ location_id }) => locationStream(location_id)),
    checkedByRebuild(REMOVED_EQUIPMENT, ({ location_id }) => locationStream(location_id)),
    checkedByRebuild(LOCATION_HEADS, ({ _id }) => locationStream(_id), 'progress'),
  ];

  readonly states: LocationStates;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Optional() private readonly listener?: LocationPolicyListener,
  ) {
    this.states = new LocationStates(store, (change) => this.project([change]));
  }

  shown(streams: readonly string[]): Promise<number[]> {
    return this.#heads(streams.map((stream) => stream.slice(locationStream('').length)));
  }

  /** Shows the changes, and earlier events that are not shown yet. */
  async project(changes: readonly StreamChange<LocationState, LocationEvent>[]): Promise<void> {
    const heads = await this.#heads(changes.map(({ after: { state } }) => state.details.location_id));
    const whole = await Promise.all(changes.map((change, index) => this.#complete(change, heads[index]!)));
    await this.#write(whole.flatMap(({ events, after }) => viewWrites(events, after.state)));
    for (const [index, { events, after }] of whole.entries()) {
      if (hasNewPolicy(heads[index]!, events))
        await this.listener?.policyChanged(after.state.details.location_id);
    }
    await this.#write(changes.filter(({ after }, index) => after.revision > heads[index]!).map(headWrite));
  }

  /** The revision of each location's stream that the views show; -1: none. */
  async #heads(ids: readonly string[]): Promise<number[]> {
    const heads = await (await this.views.collection(LOCATION_HEADS)).getMany(ids);
    return heads.map((head) => head?.revision ?? -1);
  }

  /** Adds the events before the change that the views do not show yet. */
  async #complete(
    change: StreamChange<LocationState, LocationEvent>,
    shown: number,
  ): Promise<StreamChange<LocationState, LocationEvent>> {
    const last = change.after.revision;
    if (newerThan(shown, change.events).length >= last - shown) return change;
    const missing = await readFrom<LocationEvent>(this.store, LOCATION, change.stream, shown + 1);
    // Events that the views show already are written again, which changes nothing.
    const events = [
      ...change.events.filter(({ revision }) => revision <= shown),
      ...missing.filter(({ revision }) => revision <= last),
    ];
    return { ...change, events };
  }

  async #write(writes: readonly DocumentWrite[]): Promise<void> {
    if (writes.length === 0) return;
    // A write needs its collections declared.
    for (const declaration of LOCATION_VIEWS) await this.views.collection<never>(declaration as never);
    await this.views.write(writes);
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
