import { Injectable } from '@nestjs/common';
import { presentOverride } from '#domain/access/index.js';
import type { Deadline } from '#kernel/yielder.js';
import type { UnitDocument } from '#domain/units/index.js';
import { ActivityHistory } from './activity/activity-history.js';
import { DeniedOpenings } from './activity/denied-openings.js';
import { GatesOfUnit } from './activity/gates-of-unit.js';
import { UnitExplanation } from './explain/unit-explanation.js';
import { presentAsOf } from './history.presenter.js';
import { UnitEquipmentAsOf } from './unit-equipment-as-of.js';
import { UnitHistory } from './unit-history.js';
import { UnitPeopleAsOf } from './unit-people-as-of.js';

const REPORTS = 10;

export type WholeUnitAtInstant = NonNullable<Awaited<ReturnType<WholeUnitAsOf['readUnit']>>>;

/**
 * A unit at an instant, with its tenant, shares, override, locks, zones, keys and reports of that instant. It is built from the
 * log, the views and the records. Personal details are those of now, because older ones are not kept.
 */
@Injectable()
export class WholeUnitAsOf {
  constructor(
    private readonly history: UnitHistory,
    private readonly explanation: UnitExplanation,
    private readonly activity: ActivityHistory,
    private readonly gates: GatesOfUnit,
    private readonly denials: DeniedOpenings,
    private readonly equipment: UnitEquipmentAsOf,
    private readonly people: UnitPeopleAsOf,
  ) {}

  /**
   * Undefined before the unit existed.
   * @param at milliseconds, by the company's clock
   * @param deadline of the request
   * @throws StoreUnavailableError, GivenUpError
   */
  async readUnit(unit: UnitDocument, at: number, deadline?: Deadline) {
    const described = await this.history.described(unit, at);
    if (described === undefined) return undefined;
    const then = described.unit;
    const [explained, people, equipment, entryPoints, reports] = await Promise.all([
      this.explanation.ofDecision(described, true, deadline),
      this.people.readPeople(then, at),
      this.equipment.readEquipment(unit, at),
      this.history.entryPointsAt(described, at),
      this.gates.find(unit).then((gates) => this.activity.listOfUnitUntil(unit.unit_id, at, REPORTS, gates)),
    ]);
    return {
      ...presentAsOf(described, entryPoints, at),
      /** With the event that set each value. */
      checks: explained.checks,
      retired: then.retired,
      override: presentOverride(then.override, at),
      ...people,
      ...equipment,
      /** The newest ten that had happened, newest first. Some may have been reported later. */
      reports: await this.denials.mark(reports, () => unit.location_id),
    };
  }
}
