import { Injectable } from '@nestjs/common';
import type { OperatorContext } from '../../http/index.js';
import { OperatorExplainController } from '../../history/index.js';
import { OperatorUnitsController } from '../../operator/index.js';
import { Page, type Refused } from '../frame/page.js';
import { mayDo } from '../parts/roles.js';
import { toldClock } from '../parts/sandbox-mark.js';
import { NamedEntries } from './named-entries.js';
import { UnitSurroundings } from './unit-surroundings.js';
import { ENTRIES } from './unit-parts.js';
import { UnitView } from './unit-view.js';

const REPORTS = 10;

/** The page of a unit as it is, for those who look at it and for forms that are refused. */
@Injectable()
export class UnitPage {
  constructor(
    private readonly units: OperatorUnitsController,
    private readonly named: NamedEntries,
    private readonly explanation: OperatorExplainController,
    private readonly surroundings: UnitSurroundings,
  ) {}

  async now(unit_id: string, context: OperatorContext, refused?: Refused): Promise<Page> {
    const { principal } = context;
    const unit = (await this.units.one(unit_id)).data;
    const mayChange = mayDo(principal.role, 'manager');
    const location_id = unit.location.id;
    const [clock, history, reports, explained, locks, zones] = await Promise.all([
      this.surroundings.clock(location_id),
      this.named.history(unit_id, { limit: ENTRIES, order: 'desc' }),
      this.named.reports(unit_id, { limit: REPORTS }),
      this.explanation.explain(unit_id, context),
      mayChange ? this.surroundings.freeLocks(location_id) : undefined,
      mayChange ? this.surroundings.zones(location_id) : [],
    ]);
    const content = (
      <UnitView
        unit={unit}
        checks={explained.data.checks}
        entries={history.entries}
        hasOlder={history.next_cursor !== null}
        reports={reports.entries}
        tenantNames={reports.names}
        historyNames={history.names}
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
