/** A dependency whose state decides whether the service can work. */
export interface ReadinessCheck {
  readonly name: string;
  /** A rejection counts as not ok. */
  check(): Promise<{ readonly ok: boolean; readonly detail?: string }>;
}

/** Injection token of `ReadinessCheck[]` (optional). */
export const READINESS_CHECKS = Symbol('ReadinessChecks');

export interface ProjectionLag {
  /** `lag` is the number of events that the views do not show; null: unknown. `stalled`: no events are applied. */
  state(): Promise<{ readonly lag: number | null; readonly stalled: boolean; readonly detail?: string }>;
}

/** Injection token of a `ProjectionLag`. */
export const PROJECTION_LAG = Symbol('ProjectionLag');
