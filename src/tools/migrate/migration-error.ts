/** The migration cannot go on. The message says what stands in its way and what to do. */
export class MigrationError extends Error {
  readonly code = 'migration';

  constructor(message: string) {
    super(message);
    this.name = 'MigrationError';
  }
}
