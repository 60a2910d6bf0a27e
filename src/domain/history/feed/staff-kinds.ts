import { Inject, Injectable, Optional } from '@nestjs/common';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import type { EventTypes } from '#eventsourcing/log/codec.js';
import type { EventStore, JsonObject, RecordedEvent } from '#eventsourcing/log/event-store.js';
import {
  type ConcernedCompanies,
  STAFF_STREAMS,
  type StaffStreams,
  type StaffSubject,
} from './staff-streams.js';

/** Reads of an event which companies it concerns. */
export type CompaniesReader = (event: RecordedEvent) => Promise<ConcernedCompanies>;

/** The events that the log of staff tells, and integrators never read. */
@Injectable()
export class StaffKinds {
  readonly #streams: ReadonlyMap<string, StaffStreams>;
  readonly types: EventTypes;

  constructor(
    @Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'readStream'>,
    @Optional() @Inject(STAFF_STREAMS) streams: readonly StaffStreams[] = [],
  ) {
    this.#streams = new Map(streams.map((one) => [one.category, one]));
    this.types = Object.assign({}, ...streams.map(({ types }) => types)) as EventTypes;
  }

  isTold(event: Pick<RecordedEvent, 'stream' | 'type'>): boolean {
    return this.#fieldsOf(event) !== undefined;
  }

  /** Undefined for an event of a unit, a site or a tenant. */
  subjectOf(event: Pick<RecordedEvent, 'stream' | 'data' | 'type'>): StaffSubject | undefined {
    return this.isTold(event) ? this.#of(event)!.subjectOf(event) : undefined;
  }

  /** The event with the fields alone that staff may read. An event of a unit, a site or a tenant stays as it is. */
  withToldFields<Event extends Pick<RecordedEvent, 'stream' | 'type' | 'data'>>(event: Event): Event {
    const fields = this.#fieldsOf(event);
    if (fields === undefined) return event;
    const { data } = event;
    const told: JsonObject = {};
    for (const name of fields) if (data[name] !== undefined) told[name] = data[name];
    return { ...event, data: told };
  }

  /** The event without other companies than a reader sees. */
  narrowedTo<Event extends Pick<RecordedEvent, 'stream' | 'data'>>(
    event: Event,
    isSeen: (company_id: string) => boolean,
  ): Event {
    const narrowed = this.#of(event)?.narrowed;
    return narrowed === undefined ? event : { ...event, data: narrowed(event.data, isSeen) };
  }

  /** Returns a function that tells which companies an event concerns. It keeps the streams that it has read. */
  companiesReader(): CompaniesReader {
    const known = new Map<string, readonly RecordedEvent[]>();
    const read = async ({ stream, revision }: RecordedEvent): Promise<readonly RecordedEvent[]> => {
      let events = known.get(stream) ?? [];
      if ((events.at(-1)?.revision ?? -1) < revision) {
        events = await this.log.readStream(stream);
        known.set(stream, events);
      }
      return events.filter((one) => one.revision <= revision);
    };
    return async (event) => this.#of(event)!.companiesOf(event, () => read(event));
  }

  #of({ stream }: Pick<RecordedEvent, 'stream'>): StaffStreams | undefined {
    return this.#streams.get(stream.slice(0, stream.indexOf('-')));
  }

  #fieldsOf(event: Pick<RecordedEvent, 'stream' | 'type'>): readonly string[] | undefined {
    const fields = this.#of(event)?.fields;
    return fields !== undefined && Object.hasOwn(fields, event.type) ? fields[event.type] : undefined;
  }
}
