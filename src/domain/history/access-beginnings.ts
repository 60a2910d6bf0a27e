import { Inject, Injectable } from '@nestjs/common';
import { runYielding } from '#kernel/yielder.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import {
  type Access,
  type AccessBeginning,
  type AccessCause,
  type Calendar,
  isSameAccess,
} from '#domain/access/index.js';
import type { UnitDocument } from '#domain/units/index.js';
import { timelineOf, type TimelineEntry } from './core/timeline.js';
import { endOf, EVER } from './core/window.js';
import { UnitRecordReader } from './unit-record.reader.js';

/** The part of a history that is searched, in milliseconds. */
interface SearchedTime {
  /** Included. Undefined: from the unit's first event. */
  readonly since: number | undefined;
  readonly now: number;
}

/** Finds in a unit's history when and why its present access began. */
@Injectable()
export class AccessBeginnings {
  constructor(
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly reader: UnitRecordReader,
  ) {}

  /**
   * The newest change to this access. Undefined if there is none in that time.
   * @throws StoreUnavailableError
   */
  async findBeginning(
    unit: UnitDocument,
    access: Access,
    { since, now }: SearchedTime,
  ): Promise<AccessBeginning | undefined> {
    const window = since === undefined ? EVER : { ...EVER, after: endOf(since - 1) };
    const [own, location] = await Promise.all([
      this.reader.own(unit, () => false),
      this.reader.details(unit.location_id),
    ]);
    const record = await this.reader.around(unit, own, location, window);
    const entries = await runYielding(timelineOf(record, now, this.calendar, window));
    const found = entries.findLast(
      ({ access: change }) => change !== null && isSameAccess(change.to, access),
    );
    return found && { cause: causeOf(found), effective_at: found.instant };
  }
}

function causeOf(entry: TimelineEntry): AccessCause {
  if (entry.kind === 'computed') return entry.cause;
  return { kind: 'write', revision: entry.event.revision };
}
