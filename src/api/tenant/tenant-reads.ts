/** Name of the rate limit of all reads of a tenant (decisions §5). */
export const TENANT_READS = 'tenant-reads';
