import { Get, Param } from '@nestjs/common';
import { ForOperators } from '../../http/operator-access.js';
import { Costly } from '../../http/route-options.js';
import { PlainQuery } from '../../http/validation/valid.js';
import type { Page, StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { UnitPage } from './unit-page.js';
import { UnitRecords } from './unit-records.js';

interface Listed {
  readonly cursor?: string;
}

/** The history and the activity of a unit, as pages and as CSV files. */
@ForOperators('auditor')
@Pages('dashboard/units/:unit_id')
export class UnitRecordPages {
  constructor(
    private readonly page: UnitPage,
    private readonly records: UnitRecords,
  ) {}

  @Costly()
  @Get('history')
  showEntries(@Param('unit_id') unit_id: string, @PlainQuery() { cursor }: Listed): Promise<Page> {
    return this.page.history(unit_id, { cursor });
  }

  @Costly()
  @Get('activity')
  showActivity(@Param('unit_id') unit_id: string, @PlainQuery() { cursor }: Listed): Promise<Page> {
    return this.page.activity(unit_id, { cursor });
  }

  @Costly()
  @Get('history.csv')
  entries(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    return this.records.history(unit_id).csv();
  }

  @Costly()
  @Get('activity.csv')
  taps(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    return this.records.activity(unit_id).csv();
  }
}
