import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Deadline } from '../../config/breath.js';
import { OperatorUnitHistoryController, ReadWholeUnitAsOf } from '../../history/index.js';
import {
  isPossibleId,
  notFound,
  type OperatorContext,
  parseTimestamp,
  validationFailed,
} from '../../http/index.js';
import { UnitDirectory } from '../../units/index.js';
import { Page } from '../frame/page.js';
import { toldClock } from '../parts/sandbox-mark.js';
import { UnitAtInstantView } from './unit-at-instant-view.js';
import { ENTRIES } from './unit-parts.js';
import { UnitSurroundings } from './unit-surroundings.js';

/** The page of a unit as it was. */
@Injectable()
export class UnitAtInstantPage {
  constructor(
    private readonly history: OperatorUnitHistoryController,
    private readonly directory: UnitDirectory,
    private readonly queries: QueryBus,
    private readonly surroundings: UnitSurroundings,
  ) {}

  /** @throws ApiError 404 before the unit existed, 422 for what is no instant */
  async asOf(unit_id: string, at: string, { deadline }: OperatorContext): Promise<Page> {
    const instant = parseTimestamp(at);
    if (instant === undefined) throw validationFailed({ at: ['The at field must be a timestamp.'] });
    const unit = await this.#whole(unit_id, instant, deadline);
    const [clock, newest, until, tenantNames] = await Promise.all([
      this.surroundings.clock(unit.location.id),
      this.history.history(unit_id, { limit: ENTRIES, order: 'desc' }),
      this.history.history(unit_id, { limit: ENTRIES, order: 'desc', to: at }),
      this.surroundings.tenantNames(unit.reports),
    ]);
    const content = (
      <UnitAtInstantView
        unit={unit}
        newest={newest.data.entries}
        before={until.data.entries}
        hasOlder={until.data.next_cursor !== null}
        tenantNames={tenantNames}
        now={clock.now()}
        clock={toldClock(clock)}
      />
    );
    return new Page(unit.unit_name, content);
  }

  async #whole(unit_id: string, at: number, deadline?: Deadline) {
    const unit = isPossibleId(unit_id) ? await this.directory.byUnitId(unit_id) : undefined;
    const whole = unit && (await this.queries.execute(new ReadWholeUnitAsOf(unit, at, deadline)));
    if (whole === undefined) throw notFound('Unit not found.');
    return whole;
  }
}
