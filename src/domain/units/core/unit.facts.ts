/** The owner of a unit's data (specification §1, ownership rule). It is fixed when the unit is created. */
export type SourceType = 'push' | 'pull' | 'standalone';

/** The source that writes units of a company. */
export interface Writer {
  readonly company_id: string;
  readonly source: SourceType;
}
