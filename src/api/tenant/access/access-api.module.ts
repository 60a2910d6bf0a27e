import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { TenantAccessController } from './tenant-access.controller.js';
import { TenantAccessQuery } from './tenant-access.query.js';

/** A tenant's units and entry points, with keys. */
@Module({
  imports: [AccessModule, CompaniesModule, LocationsModule, LocksModule, TenantsModule],
  controllers: [TenantAccessController],
  providers: [TenantAccessQuery],
})
export class AccessApiModule {}
