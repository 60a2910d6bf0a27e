import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { GuestRounds } from './guest-rounds.js';
import { InvitationBudget } from './invitation-budget.js';
import { InvitationCodes } from './invitation-codes.js';
import { InvitationTextLimits } from './invitation-text-limits.js';
import { OwnShares } from './own-shares.js';
import { ShareRecords } from './share-records.js';
import { SharesInErasure } from './shares-in-erasure.js';
import { ShareTexts } from './share-texts.js';
import { SharingErasure } from './sharing-erasure.js';

/** The providers that other modules inject. */
const SHARED = [
  GuestRounds,
  InvitationBudget,
  InvitationCodes,
  OwnShares,
  ShareRecords,
  SharesInErasure,
  ShareTexts,
  SharingErasure,
];

/**
 * Shares that tenants give (decisions §13). Global modules must provide CLOCK, IDS, ENVIRONMENT, LOGGER, RECORDS,
 * SHARE_CODES_KEY, RateLimiter, GUEST_KEEPERS (optional), and the needs of the imported modules.
 */
@Module({
  imports: [AccessModule, CompaniesModule, TenantsModule, UnitsModule],
  providers: [...SHARED, InvitationTextLimits],
  exports: SHARED,
})
export class SharingModule {}
