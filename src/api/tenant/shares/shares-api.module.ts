import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { SharingModule } from '#domain/sharing/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { OwnShareList } from './own-share-list.js';
import { ShareAcceptance } from './share-acceptance.js';
import { ShareOffers } from './share-offers.js';
import { TenantSharesController } from './tenant-shares.controller.js';

/** Shares that tenants give by themselves. */
@Module({
  imports: [CompaniesModule, LocationsModule, SharingModule, TenantsModule, UnitsModule],
  controllers: [TenantSharesController],
  providers: [OwnShareList, ShareAcceptance, ShareOffers],
})
export class SharesApiModule {}
