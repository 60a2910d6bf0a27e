/** The clocks of time zones. The implementation is outside of the core. Instants are milliseconds, dates `YYYY-MM-DD`. */
export interface WallClock {
  dateAt(instant: number, timezone: string): string;
  /**
   * The first instant at which a local clock has reached a date and a time (`HH:MM`). If a change of the clocks skips the
   * time, this is the instant of the change. If it repeats the time, this is the earlier of both.
   */
  instantOf(date: string, time: string, timezone: string): number;
  addDays(date: string, days: number): string;
}
