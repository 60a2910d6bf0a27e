import { Injectable } from '@nestjs/common';
import type { OperatorContext } from '../../http/index.js';
import {
  OperatorActivityController,
  OperatorExplainController,
  OperatorUnitHistoryController,
} from '../../history/index.js';
import { OperatorUnitsController } from '../../operator/index.js';
import { Page, type Refused } from '../frame/page.js';
import { mayDo } from '../parts/roles.js';
import { toldClock } from '../parts/sandbox-mark.js';
import type { Check } from './decision.js';
import { UnitSurroundings } from './unit-surroundings.js';
import { ENTRIES } from './unit-parts.js';
import { UnitView } from './unit-view.js';

const REPORTS = 10;

/** The page of a unit as it is, for those who look at it and for forms that are refused. */
@Injectable()
export class UnitPage {
  constructor(
    private readonly units: OperatorUnitsController,
    private readonly history: OperatorUnitHistoryController,
    private readonly activity: OperatorActivityController,
    private readonly explanation: OperatorExplainController,
    private readonly surroundings: UnitSurroundings,
  ) {}

  async now(unit_id: string, context: OperatorContext, refused?: Refused): Promise<Page> {
    const { principal } = context;
    const unit = (await this.units.one(unit_id)).data;
    const mayChange = mayDo(principal.role, 'manager');
    const location_id = unit.location.id;
    const [clock, history, activity, explained, locks, zones] = await Promise.all([
      this.surroundings.clock(location_id),
      this.history.history(unit_id, { limit: ENTRIES, order: 'desc' }),
      this.activity.ofUnit(unit_id, { limit: REPORTS }),
      this.explanation.explain(unit_id, context),
      mayChange ? this.surroundings.freeLocks(location_id) : undefined,
      mayChange ? this.surroundings.zones(location_id) : [],
    ]);
    const content = (
      <UnitView
        unit={unit}
        checks={explained.data['checks'] as readonly Check[]}
        entries={history.data.entries}
        hasOlder={history.data.next_cursor !== null}
        reports={activity.data.entries}
        tenantNames={await this.surroundings.tenantNames(activity.data.entries)}
        historyNames={await this.surroundings.historyNames(history.data.entries)}
        freeLocks={locks}
        otherZones={zones.filter(({ zone_id }) => unit.zones.every((one) => one.zone_id !== zone_id))}
        mayChange={mayChange}
        now={clock.now()}
        clock={toldClock(clock)}
        refused={refused}
      />
    );
    return new Page(unit.unit_name, content, refused?.status);
  }
}
