import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import type { Service } from '../../support/service.js';

/** Reads what an account may open, as its app does. */
export async function appOf(service: Service, tenant_id: string) {
  const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
  const { token } = await service.part(TenantSessions).begin(account!);
  return (headers: Record<string, string> = {}) =>
    service.call('get', '/api/v2/tenant/access', { token, headers });
}
