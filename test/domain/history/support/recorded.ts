import { TemporalCalendar } from '#domain/access/calendar.js';
import type { UnitPeriods } from '#domain/history/core/periods.js';
import type { DetailsEvent, Logged, UnitRecord } from '#domain/history/core/unit-record.js';
import { timelineOf, type TimelineEntry } from '#domain/history/core/timeline.js';
import { bearsWithin } from '#domain/history/core/sibling-bearing.js';
import { relevantTenants, type Window } from '#domain/history/core/window.js';
import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { evolve, tenantsNamed, type UnitState } from '#domain/units/core/unit.state.js';
import { finished } from '../../../support/finished.js';

export const calendar = new TemporalCalendar();

export const POLICY: LocationPolicy = { ...DEFAULT_POLICY, timezone: 'America/Chicago' };

export function at(text: string): number {
  return Date.parse(text);
}

type Streamed = UnitEvent | DetailsEvent;

/** A log in the making: what is written gets the next revision of its stream and the next position of all. */
export class RecordedLog {
  readonly #streams = new Map<string, Logged<Streamed>[]>();
  #position = 0n;

  constructor(policy: LocationPolicy = POLICY) {
    this.write('location', 0, {
      type: 'LocationOpened',
      data: {
        location_id: 'location',
        company_id: 'company',
        pms_location_code: 'main',
        name: 'Main St',
        policy,
      },
    });
  }

  /** One write: its events share the instant and the command. */
  write(stream: string, instant: number, ...events: Streamed[]): this {
    const known = this.#streams.get(stream) ?? [];
    const command_id = `command-${this.#position}`;
    for (const event of events) {
      const revision = known.length;
      this.#position += 1n;
      const metadata = {
        command_id,
        request_id: `request of ${command_id}`,
        actor: { kind: 'api_token' as const, id: 'token' },
        occurred_at: new Date(instant).toISOString(),
        schema: 1,
        part: { n: 1, of: 1 },
        hash: `hash ${stream} ${revision}`,
        previous_hash: '',
      };
      const id = `event-${this.#position}`;
      known.push({ ...event, id, stream, revision, metadata, instant, position: this.#position });
    }
    this.#streams.set(stream, known);
    return this;
  }

  changePolicy(instant: number, policy: Partial<LocationPolicy>): this {
    const data = { policy: { ...POLICY, ...policy } };
    return this.write('location', instant, { type: 'LocationPolicyChanged', data });
  }

  recordOf(stream: string): UnitRecord {
    const others = [...this.#streams.keys()].filter((name) => name !== stream && name !== 'location');
    return {
      own: this.#streams.get(stream) as Logged<UnitEvent>[],
      siblings: others.map((name) => this.#streams.get(name) as Logged<UnitEvent>[]),
      location: this.#streams.get('location') as Logged<DetailsEvent>[],
    };
  }

  /** Of the record what the reader would bring for a window: whoever moved in elsewhere is known to the views. */
  recordWithin(stream: string, window: Window): UnitRecord {
    const { own, siblings, location } = this.recordOf(stream);
    const tenants = relevantTenants({ own, location }, window);
    const bears = (events: readonly Logged<UnitEvent>[]) =>
      events.some((event) => tenantsNamed(event).some((tenant) => tenants.includes(tenant))) &&
      bearsWithin({ events: known(events), states: statesOf(known(events)) }, tenants, window);
    const known = (events: readonly Logged<UnitEvent>[]) =>
      events.filter(({ instant }) => instant <= window.before.instant);
    return { own: known(own), siblings: siblings.filter(bears).map(known), location };
  }

  /** The same record with the states that the reader keeps. */
  withStates(record: UnitRecord): UnitRecord {
    return { ...record, states: statesOf(record.own) };
  }

  /** How a unit stood; at one instant only what held at its end. */
  periodsOf(stream: string): UnitPeriods {
    const periods = new Map<number, UnitState>();
    let unit: UnitState | undefined;
    for (const event of this.recordOf(stream).own) {
      unit = evolve(unit, event, event.revision);
      periods.set(event.instant, unit);
    }
    return [...periods].map(([from, state]) => ({ from, unit: state }));
  }

  timeline(stream: string, now: number): TimelineEntry[] {
    return finished(timelineOf(this.recordOf(stream), now, calendar));
  }
}

function statesOf(events: readonly Logged<UnitEvent>[]): UnitState[] {
  const states: UnitState[] = [];
  for (const event of events) states.push(evolve(states.at(-1), event, event.revision));
  return states;
}

export function registered(unit_id: string): UnitEvent {
  return {
    type: 'UnitRegistered',
    data: {
      company_id: 'company',
      location_id: 'location',
      unit_id,
      crm_unit_id: unit_id.toUpperCase(),
      unit_name: `Unit ${unit_id}`,
      source_type: 'push',
    },
  };
}

export function movedIn(tenant_id = 'ada', move_in_date = '2025-01-01'): UnitEvent {
  return {
    type: 'TenantMovedIn',
    data: {
      tenancy_id: `stay of ${tenant_id}`,
      tenant_id,
      pms_tenant_id: `pms ${tenant_id}`,
      ledger_id: null,
      move_in_date,
      replaced_tenant_id: null,
    },
  };
}

export function movedOut(tenant_id = 'ada'): UnitEvent {
  return { type: 'TenantMovedOut', data: { tenancy_id: `stay of ${tenant_id}`, tenant_id } };
}

export function facts(data: Extract<UnitEvent, { type: 'UnitFactsChanged' }>['data']): UnitEvent {
  return { type: 'UnitFactsChanged', data };
}

/** An entry in one line: what, when, and the access it led to where that changed. */
export function line(entry: TimelineEntry): string {
  const what = entry.kind === 'recorded' ? entry.event.type : `by ${entry.cause.kind}`;
  const to = entry.access === null ? '' : ` -> ${entry.access.to.reason ?? entry.access.to.state}`;
  return `${new Date(entry.instant).toISOString()} ${what}${to}`;
}
