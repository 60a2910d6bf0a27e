/** A dependency whose state decides whether the service can work. */
export interface ReadinessCheck {
  readonly name: string;
  /** A rejection counts as not ok. */
  check(): Promise<{ readonly ok: boolean; readonly detail?: string }>;
}

/** Injection token of a `ReadinessCheck[]`; no dependency is asked where it is not bound. */
export const READINESS_CHECKS = Symbol('ReadinessChecks');

/** How far the views are behind the log. */
export interface ProjectionLag {
  /** The events that wait to be handled, and whether they are not being handled at all. */
  state(): Promise<{ readonly lag: number | null; readonly stalled: boolean; readonly detail?: string }>;
}

/** Injection token of a `ProjectionLag`. */
export const PROJECTION_LAG = Symbol('ProjectionLag');
