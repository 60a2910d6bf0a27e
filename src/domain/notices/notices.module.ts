import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { AnnouncementsModule } from '#domain/announcements/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { NoticeBudget } from './notice-budget.js';
import { NoticeErasure } from './notice-erasure.js';
import { NoticeRecords } from './notice-records.js';
import { NoticeMarks } from './notice-marks.js';
import { NoticeReplay } from './notice-replay.js';
import { NoticeRounds } from './notice-rounds.js';
import { NoticeSending } from './notice-sending.js';
import { NoticeTenants } from './notice-tenants.js';
import { NoticesSwitch } from './notices-switch.js';
import { TenantStandingsReader } from './tenant-standings.js';

/**
 * Texts to tenants about their access. Global modules must provide CLOCK, CALENDAR, IDS, LOGGER, ENVIRONMENT, RECORDS,
 * EVENT_STORE, SmsSender, RateLimiter and NoticeObserver, and the needs of the imported modules.
 */
@Module({
  imports: [AccessModule, AnnouncementsModule, CompaniesModule, LocationsModule, TenantsModule, UnitsModule],
  providers: [
    NoticeBudget,
    NoticeErasure,
    NoticeMarks,
    NoticeRecords,
    NoticeReplay,
    NoticeRounds,
    NoticeSending,
    NoticeTenants,
    NoticesSwitch,
    TenantStandingsReader,
  ],
  exports: [NoticeErasure, NoticeMarks, NoticeRecords, NoticeReplay, NoticeRounds],
})
export class NoticesModule {}
