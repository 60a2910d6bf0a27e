import { Module } from '@nestjs/common';
import { AccessApiModule } from './access/access-api.module.js';
import { LoginApiModule } from './login/login-api.module.js';
import { ReportsApiModule } from './reports/reports-api.module.js';
import { SharesApiModule } from './shares/shares-api.module.js';

/** The tenant's API. The most frequent routes come first, because Express tries them in this order. */
@Module({ imports: [AccessApiModule, ReportsApiModule, LoginApiModule, SharesApiModule] })
export class TenantApiModule {}
