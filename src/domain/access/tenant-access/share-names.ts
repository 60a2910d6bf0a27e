/** Finds the names that tenants have typed for those whom they let in. app.module.ts binds it. */
export abstract class ShareNames {
  /** By share_id. Null: erased. Absent: not known. @throws StoreUnavailableError */
  abstract namesOf(share_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}
