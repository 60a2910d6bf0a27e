/** Reads which units a tenant rents. app.module.ts binds it. */
export abstract class RentedUnits {
  /** The streams of the units that each tenant rents, by tenant. @throws StoreUnavailableError */
  abstract rentedBy(tenant_ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}
