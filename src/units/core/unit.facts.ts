/** The owner of a unit's data (specification §1, ownership rule). It is fixed when the unit is created. */
export type SourceType = 'push' | 'pull' | 'standalone';
