/**
 * Storage format: add, never change. The log contains the `type` strings and the fields below for ever. A change of
 * meaning needs a new type, or a higher `schema` with an upcast. Instants are milliseconds since the epoch.
 */
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';
import type { Access } from './policy.js';

/** The unit with the debt. Given if the change is one to blanket delinquency. */
export type Debtor = { readonly unit_id?: string; readonly crm_unit_id?: string };

/** The reason for a change of access without an event of the unit itself. */
export type OutsideCause =
  | ({ readonly kind: 'calendar' } & Debtor)
  | {
      readonly kind: 'unit';
      readonly unit_id: string;
      readonly crm_unit_id: string;
      readonly revision: number;
    }
  | ({ readonly kind: 'policy'; readonly location_id: string; readonly revision: number } & Debtor);

/** The reason for a change of access. `write`: the unit's own event with this revision. */
export type AccessCause = OutsideCause | { readonly kind: 'write'; readonly revision: number };

/** When and why a unit got its access. */
export interface AccessBeginning {
  readonly cause: AccessCause;
  /** Milliseconds. */
  readonly effective_at: number;
}

/** The data of each event, by its type. */
interface AccessEvents {
  /** The access that is not announced: of a unit of an older store, and of a unit that was created vacant. */
  readonly AccessBaseline: {
    readonly company_id: string;
    readonly unit_id: string;
    readonly to: Access;
    readonly valid_until: number | null;
  };
  readonly AccessChanged: {
    readonly company_id: string;
    readonly unit_id: string;
    /** Null for a new unit. */
    readonly from: Access | null;
    readonly to: Access;
    readonly cause: AccessCause;
    /** When the present access began. */
    readonly effective_at: number;
    /** The first instant at which the decision changes if nothing is written; null: never. */
    readonly valid_until: number | null;
  };
}

export type AccessEvent = EventOf<AccessEvents>;
export type AccessChanged = EventOf<AccessEvents, 'AccessChanged'>;

export const ACCESS_CATEGORY = 'access';

export const ACCESS_EVENT_TYPES: Readonly<Record<AccessEvent['type'], EventType>> = {
  AccessBaseline: { schema: 1 },
  AccessChanged: { schema: 1 },
};

/** The stream of what was announced about a unit. */
export function accessStream(company_id: string, unit_id: string): string {
  return `${ACCESS_CATEGORY}-${company_id}.${unit_id}`;
}

/** The unit of a stream that {@link accessStream} has named. */
export function unitOfAccessStream(stream: string): string {
  return stream.slice(stream.indexOf('.') + 1);
}
