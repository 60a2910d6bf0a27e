import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitsModule } from '../units/index.js';
import { ActorNames } from './actor-names.js';
import { ReadUnitAsOfHandler } from './read-unit-as-of.handler.js';
import { ReadUnitHistoryHandler } from './read-unit-history.handler.js';
import { UnitHistory } from './unit-history.js';
import {
  HistoryAnswers,
  OperatorUnitHistoryController,
  UnitHistoryController,
} from './unit-history.controllers.js';
import { UnitRecordReader } from './unit-record.reader.js';

/**
 * The histories of units, for auditors. Needs, from global modules: the ports CLOCK, CALENDAR, EVENT_STORE and VIEWS,
 * PROJECTIONS (those of units, locations and locks among them), (optional) OPERATOR_NAMES and what HttpModule and the
 * modules it imports need.
 */
@Module({
  imports: [CompaniesModule, LocationsModule, TenantsModule, UnitsModule],
  controllers: [UnitHistoryController, OperatorUnitHistoryController],
  providers: [
    UnitRecordReader,
    ActorNames,
    UnitHistory,
    ReadUnitHistoryHandler,
    ReadUnitAsOfHandler,
    HistoryAnswers,
  ],
  exports: [UnitHistory],
})
export class HistoryModule {}
