import { Inject, Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import {
  type Check,
  type DescribedUnit,
  type LookedAt,
  presentDecision,
  UnitAccess,
} from '../../access/index.js';
import { Yielder, type Deadline } from '../../config/yielder.js';
import { inBatches } from '../../config/in-batches.js';
import { EVENT_STORE } from '../../config/injection-tokens.js';
import type { LocationPolicy } from '../../locations/index.js';
import type { Actor, EventMetadata } from '../../log/domain-event.js';
import type { EventStore } from '../../log/event-store.js';
import { UnitDirectory, type UnitDocument } from '../../units/index.js';
import { ActorNames } from '../actor-names.js';
import { instantOf } from '../logged.js';
import { UnitRecordReader } from '../unit-record.reader.js';
import { policySetters } from '../core/policy-setters.js';

/** The author of a fact, with the instant and the event. */
interface SetBy {
  readonly type: string;
  readonly revision: number;
  /** Milliseconds. */
  readonly instant: number;
  readonly actor: Actor;
  readonly command_id: string;
  readonly request_id: string;
}

/** The event by which a value that was looked at was set: one of a unit, or one that changed the policy. */
interface Setter extends Pick<SetBy, 'type' | 'revision' | 'instant'> {
  readonly metadata: EventMetadata;
}

/** How many other units that owe are told of: a tenant may have thousands, each with values that others wrote. */
const MOST_OTHERS = 200;

/** The events of streams, each read once however many values it set. */
type Events = Map<string, Promise<Setter | undefined>>;

/** Why a unit's access is what it is, down to who wrote each fact that was looked at (decisions §3). Throws StoreUnavailableError. */
@Injectable()
export class UnitExplanation {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly access: UnitAccess,
    private readonly units: UnitDirectory,
    private readonly reader: UnitRecordReader,
    private readonly names: ActorNames,
  ) {}

  /**
   * @param withOperators whether operators are told by name
   * @param deadline of who asks: nothing is read behind it
   * @throws GivenUpError
   */
  async of(unit: UnitDocument, withOperators: boolean, deadline?: Deadline) {
    const [described] = (await this.access.describe([unit])) as [DescribedUnit];
    return this.ofDecision(described, withOperators, deadline);
  }

  /** The same of a decision that was made, be it of the past. @throws GivenUpError */
  async ofDecision(described: DescribedUnit, withOperators: boolean, deadline?: Deadline) {
    const { unit } = described;
    const checks = described.decision.checks.map(withFewOthers);
    const setters = await this.#setters(described, checks, new Yielder(deadline));
    const actors = [...setters.values()].map(({ actor }) => actor);
    const nameOf = await this.names.of(actors, unit.company_id);
    const present = (seen: LookedAt) => {
      const setter = setters.get(keyOf(unit, seen));
      if (setter === undefined) return null;
      const { instant, actor, ...event } = setter;
      const name = actor.kind === 'operator' && !withOperators ? null : nameOf(actor);
      return { ...event, occurred_at: toTimestamp(instant), actor: { ...actor, name } };
    };
    const access = presentDecision({ ...described.decision, checks }, true);
    return {
      unit_id: unit.unit_id,
      crm_unit_id: unit.crm_unit_id,
      ...access,
      decided_by: checks.find(({ matched }) => matched)!.name,
      checks: access.checks!.map((check, place) => ({
        ...check,
        looked_at: check.looked_at.map((seen, index) => ({
          ...seen,
          set_by: present(checks[place]!.looked_at[index]!),
        })),
      })),
    };
  }

  /** By what was looked at, who set it; absent for what never was set, and for the calendar. */
  async #setters(
    { unit, location }: DescribedUnit,
    checks: readonly Check[],
    yielder: Yielder,
  ): Promise<ReadonlyMap<string, SetBy>> {
    const seen = new Map(checks.flatMap(({ looked_at }) => looked_at.map((one) => [keyOf(unit, one), one])));
    const details = await this.reader.details(unit.location_id);
    // Nothing that came after the policy which was decided by.
    const policy = policySetters(details.filter(({ revision }) => revision <= location.policy_revision));
    const streams = new Map<string, Promise<string | undefined>>();
    const events: Events = new Map();
    const setters = new Map<string, SetBy>();
    await inBatches([...seen], async ([key, one]) => {
      await yielder.after(1);
      const setter =
        one.revision === null
          ? policy.get(one.name as keyof LocationPolicy)
          : await this.#event(await this.#streamOf(unit, one, streams), one.revision, events);
      if (setter !== undefined) setters.set(key, setBy(setter));
    });
    return setters;
  }

  /** A sibling, looked up once. */
  #streamOf(
    unit: UnitDocument,
    { unit_id = unit.unit_id }: LookedAt,
    known: Map<string, Promise<string | undefined>>,
  ): Promise<string | undefined> {
    if (unit_id === unit.unit_id) return Promise.resolve(unit._id);
    let stream = known.get(unit_id);
    if (stream === undefined) {
      known.set(unit_id, (stream = this.units.byUnitId(unit_id).then((sibling) => sibling?._id)));
    }
    return stream;
  }

  /** Looked up once. */
  #event(stream: string | undefined, revision: number, known: Events): Promise<Setter | undefined> {
    if (stream === undefined) return Promise.resolve(undefined);
    const key = `${revision} ${stream}`;
    let event = known.get(key);
    if (event === undefined) known.set(key, (event = this.#read(stream, revision)));
    return event;
  }

  async #read(stream: string, revision: number): Promise<Setter | undefined> {
    const [event] = await this.events.readStream(stream, { from: revision, limit: 1 });
    if (event === undefined) return undefined;
    const { type, metadata } = event;
    return { type, revision, instant: instantOf(event), metadata: metadata as unknown as EventMetadata };
  }
}

/** The check with the values of the first of the other units alone. */
function withFewOthers(check: Check): Check {
  const others = [...new Set(check.looked_at.flatMap(({ unit_id }) => unit_id ?? []))];
  if (others.length <= MOST_OTHERS) return check;
  const told = new Set(others.slice(0, MOST_OTHERS));
  return {
    ...check,
    looked_at: check.looked_at.filter(({ unit_id }) => unit_id === undefined || told.has(unit_id)),
  };
}

function setBy({ type, revision, instant, metadata }: Setter): SetBy {
  const { actor, command_id, request_id } = metadata;
  return { type, revision, instant, actor, command_id, request_id };
}

function keyOf(unit: UnitDocument, { name, unit_id = unit.unit_id, revision }: LookedAt): string {
  return `${unit_id} ${name} ${revision}`;
}
