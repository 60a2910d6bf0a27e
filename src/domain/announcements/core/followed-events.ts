import { ACCESS_CATEGORY, unitOfAccessStream } from '#domain/access/core/access.events.js';
import { COMPANY_CATEGORY, type CompanyEvent } from '#domain/companies/core/company.events.js';
import { LOCATION_CATEGORY, type LocationEvent } from '#domain/locations/core/location.events.js';
import { UNIT_CATEGORY, type UnitEvent } from '#domain/units/core/unit.events.js';
import { tenantsNamed } from '#domain/units/core/unit.state.js';
import type { Trigger } from './look.js';

/** A stored event, as far as it says whose access it may change. */
export interface FollowedEvent {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: object;
}

export interface PolicyChange {
  readonly location_id: string;
  readonly revision: number;
  /** Milliseconds. */
  readonly at: number;
}

/** Whose access some events may have changed. */
export interface Followed {
  /** By stream. */
  readonly units: ReadonlyMap<string, Trigger>;
  readonly tenants: ReadonlySet<string>;
  /** The last change of each location. */
  readonly policies: readonly PolicyChange[];
  /** Locations all of whose units a listener wants to look at: texts to their tenants were switched on or off. */
  readonly noticed: ReadonlySet<string>;
  /** Sandboxes whose clock was advanced. */
  readonly advanced: ReadonlySet<string>;
  /** Ids of units about which another process has announced: perhaps something old, after it had lost its lease. */
  readonly announcedElsewhere: ReadonlySet<string>;
}

interface Metadata {
  readonly occurred_at: string;
  readonly request_id?: string;
  readonly part?: { readonly n: number; readonly of: number };
}

/** These change nobody's access. */
const WITHOUT_EFFECT: ReadonlySet<UnitEvent['type']> = new Set([
  'UnitRenamed',
  'UnitShared',
  'UnitShareOffered',
  'UnitShareCodeRefused',
  'UnitShareAccepted',
  'UnitShareOfferEnded',
  'UnitShareEnded',
  'RoundTheClockGranted',
  'RoundTheClockEnded',
]);

/** @param announced_by marks the announcements of this process */
export function followEvents(events: readonly FollowedEvent[], announced_by: string): Followed {
  const following = new Following(announced_by);
  for (const event of events) following.take(event);
  return { ...following, policies: [...following.policies.values()] };
}

class Following {
  readonly units = new Map<string, Trigger>();
  readonly tenants = new Set<string>();
  /** By location. */
  readonly policies = new Map<string, PolicyChange>();
  readonly noticed = new Set<string>();
  readonly advanced = new Set<string>();
  readonly announcedElsewhere = new Set<string>();
  readonly #announced_by: string;

  constructor(announced_by: string) {
    this.#announced_by = announced_by;
  }

  take(event: FollowedEvent): void {
    const { stream, type, metadata } = event;
    if (stream.startsWith(`${UNIT_CATEGORY}-`)) this.#takeUnit(event);
    else if (stream.startsWith(`${ACCESS_CATEGORY}-`)) {
      const { request_id } = metadata as Metadata;
      if (request_id !== this.#announced_by) this.announcedElsewhere.add(unitOfAccessStream(stream));
    } else if ((type as LocationEvent['type']) === 'LocationPolicyChanged') this.#takePolicy(event);
    else if ((type as LocationEvent['type']) === 'LocationNoticesChanged')
      this.noticed.add(stream.slice(LOCATION_CATEGORY.length + 1));
    else if ((type as CompanyEvent['type']) === 'SandboxClockAdvanced')
      this.advanced.add(stream.slice(COMPANY_CATEGORY.length + 1));
  }

  #takeUnit({ stream, revision, type, data, metadata }: FollowedEvent): void {
    const event = { type, data } as UnitEvent;
    const before = this.units.get(stream);
    if (WITHOUT_EFFECT.has(event.type) && before === undefined) return;
    const isAlone = ((metadata as Metadata).part?.of ?? 1) === 1;
    this.units.set(stream, triggerOf(event, { revision, isAlone }, before));
    for (const tenant_id of tenantsNamed(event)) this.tenants.add(tenant_id);
  }

  #takePolicy({ stream, revision, metadata }: FollowedEvent): void {
    const location_id = stream.slice(LOCATION_CATEGORY.length + 1);
    const at = milliseconds((metadata as Metadata).occurred_at);
    this.policies.set(location_id, { location_id, revision, at });
  }
}

/** @param before of the earlier events of the stream among the followed ones */
function triggerOf(
  event: UnitEvent,
  { revision, isAlone }: { readonly revision: number; readonly isAlone: boolean },
  before: Trigger | undefined,
): Trigger {
  if (event.type === 'UnitRegistered') return { kind: 'new', events: [event] };
  if (before?.kind === 'new' && !isAlone) return { kind: 'new', events: [...before.events, event] };
  return isAlone && before === undefined ? { kind: 'own', revision } : { kind: 'any' };
}

function milliseconds(timestamp: string): number {
  // eslint-disable-next-line no-restricted-globals -- parses a text, reads no clock
  return Date.parse(timestamp);
}
