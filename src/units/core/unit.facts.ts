/** Who owns a unit's data (specification §1, ownership rule). Fixed when the unit is created. */
export type SourceType = 'push' | 'pull' | 'standalone';
