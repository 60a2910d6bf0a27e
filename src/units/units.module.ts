import { Module } from '@nestjs/common';
import { UnitDirectory } from './unit.directory.js';
import { UnitStreams } from './unit.streams.js';
import { WriteUnitsHandler } from './write-units.handler.js';

/**
 * The write side of units. Needs, from global modules: VIEWS, STREAM_WRITER and UNIT_CHANGE_LISTENER.
 */
@Module({
  providers: [UnitDirectory, UnitStreams, WriteUnitsHandler],
  exports: [UnitDirectory, UnitStreams],
})
export class UnitsModule {}
