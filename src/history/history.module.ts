import { Module } from '@nestjs/common';
import { UnitsModule } from '../units/index.js';
import { UnitHistory } from './unit-history.js';
import {
  HistoryAnswers,
  OperatorUnitHistoryController,
  UnitHistoryController,
} from './unit-history.controllers.js';
import { UnitRecordReader } from './unit-record.reader.js';

/**
 * The histories of units, for auditors. Needs, from global modules: the ports CLOCK, CALENDAR, EVENT_STORE and VIEWS,
 * PROJECTIONS (those of units, locations and locks among them) and what HttpModule and UnitsModule need.
 */
@Module({
  imports: [UnitsModule],
  controllers: [UnitHistoryController, OperatorUnitHistoryController],
  providers: [UnitRecordReader, UnitHistory, HistoryAnswers],
  exports: [UnitHistory],
})
export class HistoryModule {}
