import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { OperatorsModule } from '#domain/operators/index.js';
import { SummaryLinks } from './summary-links.js';
import { SummaryRounds } from './summary-rounds.js';
import { SummarySubscriptions } from './summary-subscriptions.js';
import { SummarySwitch } from './summary-switch.js';

/**
 * Mails to operators about the day. Global modules must provide CLOCK, CALENDAR, IDS, LOGGER, ENVIRONMENT, RECORDS,
 * SUMMARY_LINKS_KEY, MailSender, SummaryFigures and SummaryObserver, and the needs of the imported modules.
 */
@Module({
  imports: [CompaniesModule, LocationsModule, OperatorsModule],
  providers: [SummaryLinks, SummaryRounds, SummarySubscriptions, SummarySwitch],
  exports: [SummaryRounds, SummarySubscriptions, SummarySwitch],
})
export class SummariesModule {}
