import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import {
  type AccessHours,
  ALWAYS,
  type EntryPoint,
  type Passage,
  passageAt,
} from '#domain/locations/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';

interface HoursOfLocation {
  readonly company_id: string;
  readonly access_hours: AccessHours | null;
  readonly timezone: string;
}

/** `leaving`: the gate is closed, and opens for those inside until `ends_at`. Instants are milliseconds. */
export type GatePassage =
  Passage | { readonly kind: 'leaving'; readonly closed_at: number; readonly ends_at: number };

/** Whether the hours of a location's gates let somebody pass now. */
export interface PassagesNow {
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly passageOf: (gate: Pick<EntryPoint, 'hours'>) => GatePassage;
}

@Injectable()
export class GatePassages {
  constructor(
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** Computes the location's hours once for all its gates. @throws StoreUnavailableError */
  async readPassages({ company_id, access_hours, timezone }: HoursOfLocation): Promise<PassagesNow> {
    const now = await this.clocks.now(company_id);
    const passage =
      access_hours === null
        ? ALWAYS
        : gatePassage(passageAt({ hours: access_hours, timezone, clock: this.calendar }, now), now);
    return { now, passageOf: ({ hours }) => (hours === 'always' ? ALWAYS : passage) };
  }
}

function gatePassage(passage: Passage, now: number): GatePassage {
  if (passage.kind !== 'passable' || now < passage.closes_at) return passage;
  return { kind: 'leaving', closed_at: passage.closes_at, ends_at: passage.ends_at };
}
