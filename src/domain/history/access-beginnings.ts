import { Inject, Injectable } from '@nestjs/common';
import { runYielding } from '#kernel/yielder.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import {
  type Access,
  type AccessBeginning,
  type AccessCause,
  type Calendar,
  isSameAccess,
  type TenantUnit,
} from '#domain/access/index.js';
import type { UnitDocument } from '#domain/units/index.js';
import { timelineOf, type TimelineEntry } from './core/timeline.js';
import { endOf, EVER } from './core/window.js';
import type { DetailsEvent, Logged } from './core/unit-record.js';
import { type UnitBeginning, type UnitReads, UnitRecordReader } from './unit-record.reader.js';

/** The part of a history that is searched, in milliseconds. */
interface SearchedTime {
  /** Included. Undefined: from the unit's first event. */
  readonly since: number | undefined;
  readonly now: number;
}

/** Finds in units' histories when and why their present access began. */
@Injectable()
export class AccessBeginnings {
  constructor(
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly reader: UnitRecordReader,
  ) {}

  /** A search for units that are looked at together. */
  search(): BeginningSearch {
    return new BeginningSearch(this.calendar, this.reader);
  }
}

/**
 * Reads each unit, tenant and location once, at the first need: the units of a tenant have the same siblings. It keeps all
 * their events, so drop it soon.
 */
export class BeginningSearch {
  readonly #units = new Map<string, Promise<UnitBeginning>>();
  readonly #tenants = new Map<string, Promise<readonly TenantUnit[]>>();
  readonly #locations = new Map<string, Promise<readonly Logged<DetailsEvent>[]>>();
  readonly #reads: UnitReads = {
    own: ({ _id }) => once(this.#units, _id, () => this.reader.own({ _id }, () => false)),
    unitsOf: async (tenants) => {
      const read = tenants.map(async (id) => [id, await this.#unitsOf(id)] as const);
      return new Map(await Promise.all(read));
    },
  };

  constructor(
    private readonly calendar: Calendar,
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
    const { location_id } = unit;
    const [own, location] = await Promise.all([
      this.#reads.own(unit, () => false),
      once(this.#locations, location_id, () => this.reader.details(location_id)),
    ]);
    const record = await this.reader.around(unit, own, location, window, this.#reads);
    const entries = await runYielding(timelineOf(record, now, this.calendar, window));
    const found = entries.findLast(
      ({ access: change }) => change !== null && isSameAccess(change.to, access),
    );
    return found && { cause: causeOf(found), effective_at: found.instant };
  }

  #unitsOf(tenant_id: string): Promise<readonly TenantUnit[]> {
    return once(this.#tenants, tenant_id, async () => {
      return (await this.reader.unitsOf([tenant_id])).get(tenant_id) ?? [];
    });
  }
}

function once<Value>(
  read: Map<string, Promise<Value>>,
  key: string,
  readNow: () => Promise<Value>,
): Promise<Value> {
  const known = read.get(key);
  if (known !== undefined) return known;
  const value = readNow();
  read.set(key, value);
  return value;
}

function causeOf(entry: TimelineEntry): AccessCause {
  if (entry.kind === 'computed') return entry.cause;
  return { kind: 'write', revision: entry.event.revision };
}
