export { TENANT_WRITTEN_SCHEMA } from './login/login.schemas.js';

export { TenantApiModule } from './tenant-api.module.js';
