import { Inject, Injectable } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import {
  type Check,
  type DescribedUnit,
  type LookedAt,
  presentExplainedDecision,
  UnitAccess,
} from '#domain/access/index.js';
import { Yielder, type Deadline } from '#kernel/yielder.js';
import { inBatches } from '#kernel/in-batches.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import type { LocationPolicy } from '#domain/locations/index.js';
import type { Actor, EventMetadata } from '#eventsourcing/log/domain-event.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { ActorNames } from '../actor-names.js';
import { instantOf } from '../logged.js';
import { presentEntryPoint } from '../history.presenter.js';
import { UnitHistory } from '../unit-history.js';
import { UnitRecordReader } from '../unit-record.reader.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { policySetters } from '../core/policy-setters.js';

/** The event that set a value, with its actor. */
interface SetBy {
  readonly type: string;
  readonly revision: number;
  /** Milliseconds. */
  readonly instant: number;
  readonly actor: Actor;
  readonly command_id: string;
  readonly request_id: string;
}

/** An event of a unit or of a location's policy that set a value. */
interface Setter extends Pick<SetBy, 'type' | 'revision' | 'instant'> {
  readonly metadata: EventMetadata;
}

/** The most other units whose values are explained. A tenant may have thousands. */
const MOST_OTHERS = 200;

/** A cache of events. One event may have set several values. */
type Events = Map<string, Promise<Setter | undefined>>;

/** Explains a decision: its checks, and for each value that they read, who set it (decisions §3). Throws StoreUnavailableError. */
@Injectable()
export class UnitExplanation {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly access: UnitAccess,
    private readonly units: UnitDirectory,
    private readonly reader: UnitRecordReader,
    private readonly names: ActorNames,
    private readonly history: UnitHistory,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * @param withOperators true: the names of operators are shown
   * @param deadline of the request @throws GivenUpError when it is over
   */
  async explain(unit: UnitDocument, withOperators: boolean, deadline?: Deadline) {
    const [described] = (await this.access.describe([unit])) as [DescribedUnit];
    const now = await this.clocks.now(unit.company_id);
    const entryPoints = await this.history.entryPointsAt(described, now);
    const explained = await this.ofDecision(described, withOperators, deadline);
    return { ...explained, entry_points: entryPoints.map(presentEntryPoint) };
  }

  /** Explains a decision that was made before, for example one of the past. @throws GivenUpError */
  async ofDecision(described: DescribedUnit, withOperators: boolean, deadline?: Deadline) {
    const { unit } = described;
    const checks = described.decision.checks.map(withFewOthers);
    const setters = await this.#setters(described, checks, new Yielder(deadline));
    const actors = [...setters.values()].map(({ actor }) => actor);
    const nameOf = await this.names.findNames(actors, unit.company_id);
    const present = (seen: LookedAt) => {
      const setter = setters.get(keyOf(unit, seen));
      if (setter === undefined) return null;
      const { instant, actor, ...event } = setter;
      const name = actor.kind === 'operator' && !withOperators ? null : nameOf(actor);
      return { ...event, occurred_at: toTimestamp(instant), actor: { ...actor, name } };
    };
    const access = presentExplainedDecision({ ...described.decision, checks });
    return {
      unit_id: unit.unit_id,
      crm_unit_id: unit.crm_unit_id,
      ...access,
      decided_by: checks.find(({ matched }) => matched)!.name,
      checks: access.checks.map((check, position) => ({
        ...check,
        looked_at: check.looked_at.map((seen, index) => ({
          ...seen,
          set_by: present(checks[position]!.looked_at[index]!),
        })),
      })),
    };
  }

  /** The event that set each value. Values that were never set, and values of the calendar, are absent. */
  async #setters(
    { unit, location }: DescribedUnit,
    checks: readonly Check[],
    yielder: Yielder,
  ): Promise<ReadonlyMap<string, SetBy>> {
    const seen = new Map(checks.flatMap(({ looked_at }) => looked_at.map((one) => [keyOf(unit, one), one])));
    const details = await this.reader.storedDetails(unit.location_id);
    // Later changes of the policy did not matter for this decision.
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

  /** The stream of the unit that has the value. Each other unit is looked up once. */
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

/** The check with the values of at most {@link MOST_OTHERS} other units. */
function withFewOthers(check: Check): Check {
  const others = [...new Set(check.looked_at.flatMap(({ unit_id }) => unit_id ?? []))];
  if (others.length <= MOST_OTHERS) return check;
  const kept = new Set(others.slice(0, MOST_OTHERS));
  return {
    ...check,
    looked_at: check.looked_at.filter(({ unit_id }) => unit_id === undefined || kept.has(unit_id)),
  };
}

function setBy({ type, revision, instant, metadata }: Setter): SetBy {
  const { actor, command_id, request_id } = metadata;
  return { type, revision, instant, actor, command_id, request_id };
}

function keyOf(unit: UnitDocument, { name, unit_id = unit.unit_id, revision }: LookedAt): string {
  return `${unit_id} ${name} ${revision}`;
}
