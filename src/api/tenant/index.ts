export { TENANT_WRITTEN_SCHEMA } from './login/login.schemas.js';

export { TENANT_API_MODULES } from './tenant-api.module.js';
