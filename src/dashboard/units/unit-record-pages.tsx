import { Get, Param } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { UnitAdministration } from '#api/operator/index.js';
import type { Page, StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { UnitTabs } from './unit-tabs.js';
import { UnitRecords } from './unit-records.js';

interface Listed {
  readonly cursor?: string;
}

/** The history and the activity of a unit, as pages and as CSV files. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id')
export class UnitRecordPages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly records: UnitRecords,
    private readonly units: UnitAdministration,
  ) {}

  @Costly()
  @Get('history')
  showEntries(
    @Param('unit_id') unit_id: string,
    @PlainQuery() { cursor }: Listed,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.tabs.history(unit_id, context, { cursor });
  }

  @Costly()
  @Get('activity')
  showActivity(
    @Param('unit_id') unit_id: string,
    @PlainQuery() { cursor }: Listed,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.tabs.activity(unit_id, context, { cursor });
  }

  @Costly()
  @Get('history.csv')
  async entries(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    const { location } = await this.units.readUnit(unit_id);
    return this.records.history(unit_id, location).csv();
  }

  @Costly()
  @Get('activity.csv')
  async taps(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    const { location } = await this.units.readUnit(unit_id);
    return this.records.activity(unit_id, location).csv();
  }
}
