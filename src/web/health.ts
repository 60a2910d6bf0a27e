/** A dependency whose state decides whether the service can work. */
export interface ReadinessCheck {
  readonly name: string;
  /** A rejection counts as not ok. */
  check(): Promise<{ readonly ok: boolean; readonly detail?: string }>;
}

/** Injection token of `ReadinessCheck[]` (optional). */
export const READINESS_CHECKS = Symbol('ReadinessChecks');

export abstract class ProjectionLag {
  abstract state(): Promise<ProjectionLagState>;
}

export interface ProjectionLagState {
  /** Events that were not checked in the views yet. Null if it is not known. */
  readonly lag: number | null;
  /** Milliseconds since the oldest of them was appended; 0 without one. Null if it is not known. */
  readonly age_ms: number | null;
  /** True if events wait and none is checked. */
  readonly stalled: boolean;
  readonly detail?: string;
}
