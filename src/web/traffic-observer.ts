/** The result of a request. No member identifies a caller, and each has few values. */
export interface Answered {
  readonly method: string;
  /** The pattern of the route; undefined for an unknown path, and where a route refused the credential. */
  readonly route: string | undefined;
  /** Undefined if the client went away before the answer. */
  readonly status: number | undefined;
  /** True if a credential was accepted. */
  readonly isAdmitted: boolean;
  readonly seconds: number;
}

/** Receives the results of requests, for metrics. Must not throw. */
export abstract class TrafficObserver {
  abstract answered(answered: Answered): void;
  /** Called once for each policy, at start. */
  abstract limitDefined(policy: string): void;
  /** A limit has refused a request. `policy` is the name of a defined policy. */
  abstract limited(policy: string): void;
}
