import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { HoursLog } from '#domain/history/index.js';
import {
  type AccessHours,
  ALWAYS,
  type EntryPointState,
  hoursAt,
  LocationDirectory,
  type Passage,
  passageAt,
} from '#domain/locations/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';

interface HoursOfLocation {
  readonly location_id: string;
  readonly company_id: string;
  readonly access_hours: AccessHours | null;
  readonly timezone: string;
}

type GateOfHours = Pick<EntryPointState, 'entry_point_id' | 'hours'>;

/**
 * `since`: the instant from which it is so; null if it has always been so, or if hours, zone or gate were changed since, so
 * that it may have been otherwise. `leaving`: the gate is closed, and opens for those inside until `ends_at`. Instants are
 * milliseconds.
 */
export type GatePassage =
  | Extract<Passage, { readonly kind: 'always' }>
  | (Exclude<Passage, { readonly kind: 'always' }> & { readonly since: number | null })
  | { readonly kind: 'leaving'; readonly closed_at: number; readonly ends_at: number };

/** Whether the hours of a location's gates let somebody pass now. */
export interface PassagesNow {
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly passageOf: (gate: GateOfHours) => GatePassage;
}

@Injectable()
export class GatePassages {
  constructor(
    private readonly clocks: CompanyClocks,
    private readonly locations: LocationDirectory,
    private readonly log: HoursLog,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** Computes the location's hours once for all its gates. @throws StoreUnavailableError */
  async readPassages({
    location_id,
    company_id,
    access_hours,
    timezone,
  }: HoursOfLocation): Promise<PassagesNow> {
    const now = await this.clocks.now(company_id);
    if (access_hours === null) return { now, passageOf: () => ALWAYS };
    const zoned = { hours: access_hours, timezone, clock: this.calendar };
    const passage = passageAt(zoned, now);
    const { since } = hoursAt(zoned, now);
    const changed = await this.#lastChanges(location_id);
    const passageOf = ({ hours, entry_point_id }: GateOfHours): GatePassage => {
      if (hours === 'always' || passage.kind === 'always') return ALWAYS;
      if (passage.kind === 'passable' && now >= passage.closes_at)
        return { kind: 'leaving', closed_at: passage.closes_at, ends_at: passage.ends_at };
      const isKnown = since >= (changed.get(entry_point_id) ?? Infinity);
      return { ...passage, since: isKnown ? since : null };
    };
    return { now, passageOf };
  }

  async #lastChanges(location_id: string): Promise<ReadonlyMap<string, number>> {
    const location = await this.locations.location(location_id);
    if (location === undefined) return new Map();
    return this.log.findLastChanges(location, location.entry_points);
  }
}
