import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { HistoryModule } from '#domain/history/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { AnnouncedProjector } from './announced.projector.js';
import { AnnouncementsBegin } from './announcements-begin.js';
import { Announcements } from './announcements.js';
import { AnnouncerProgress } from './announcer-progress.js';
import { Announcer } from './announcer.js';
import { LookSchedule } from './look-schedule.js';
import { UnitLooks } from './unit-looks.js';

/**
 * Announces changes of access in the log. Global modules must provide CLOCK, IDS, LOGGER, CALENDAR, RECORDS, VIEWS, EVENT_STORE,
 * CommandRunner and AnnouncementObserver, and the needs of the imported modules.
 */
@Module({
  imports: [AccessModule, CompaniesModule, HistoryModule, LocationsModule, UnitsModule],
  providers: [
    AnnouncedProjector,
    Announcements,
    AnnouncementsBegin,
    Announcer,
    AnnouncerProgress,
    LookSchedule,
    UnitLooks,
  ],
  exports: [AnnouncedProjector, Announcer, AnnouncerProgress],
})
export class AnnouncementsModule {}
