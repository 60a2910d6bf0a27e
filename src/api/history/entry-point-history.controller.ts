import { Controller, Get, Param } from '@nestjs/common';
import { envelope } from '#web/envelope.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Costly } from '#web/route-options.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { EntryPointHistoryReads } from './entry-point-history-reads.js';
import { EntryPointAsOfQuery, HistoryQuery } from './history.dto.js';
import { ENTRY_POINT_AS_OF_SCHEMA, ENTRY_POINT_HISTORY_SCHEMA } from './history.schemas.js';

/** The history of an entry point, for operators (decisions §13). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator/entry-points/:entry_point_id')
export class EntryPointHistoryController {
  constructor(private readonly reads: EntryPointHistoryReads) {}

  @Costly()
  @Get('history')
  @Answers({
    id: 'listEntryPointHistory',
    description:
      'Changes of the entry point and of the hours that it keeps, and passes that open it. `from` and `to` narrow it, `order` sorts it.',
    summary: 'Read the history of an entry point',
    data: ENTRY_POINT_HISTORY_SCHEMA,
    errors: ['entry_point_not_found'],
  })
  async history(
    @Param('entry_point_id') entry_point_id: string,
    @ValidQuery(HistoryQuery) query: HistoryQuery,
  ) {
    return envelope(await this.reads.list(entry_point_id, query));
  }

  @Costly()
  @Get('as-of')
  @Answers({
    id: 'getEntryPointAsOf',
    description:
      'A page covers 100 units of the location, so it may hold few people or none while there is a next page.',
    summary: 'List who could open an entry point at an instant',
    data: ENTRY_POINT_AS_OF_SCHEMA,
    errors: ['entry_point_not_found'],
  })
  async asOf(
    @Param('entry_point_id') entry_point_id: string,
    @ValidQuery(EntryPointAsOfQuery) query: EntryPointAsOfQuery,
  ) {
    return envelope(await this.reads.readAsOf(entry_point_id, query));
  }
}
