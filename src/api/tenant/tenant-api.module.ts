import { AccessApiModule } from './access/access-api.module.js';
import { LoginApiModule } from './login/login-api.module.js';
import { ReportsApiModule } from './reports/reports-api.module.js';
import { SharesApiModule } from './shares/shares-api.module.js';

/**
 * The tenant's API, the most frequent routes first. The application imports these themselves: Nest adds the routes of modules
 * that another one imports after those of all others, and Express tries routes in that order.
 */
export const TENANT_API_MODULES = [
  AccessApiModule,
  ReportsApiModule,
  LoginApiModule,
  SharesApiModule,
] as const;
