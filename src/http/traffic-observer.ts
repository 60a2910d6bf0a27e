/** The result of a request. No member names a caller, and each has few values. */
export interface Answered {
  readonly method: string;
  /** The pattern of the route; undefined where the path has none. */
  readonly route: string | undefined;
  /** Undefined where the client went away before it was answered. */
  readonly status: number | undefined;
  readonly seconds: number;
}

/** Is told of requests, for whoever counts them. Must not throw. */
export interface TrafficObserver {
  answered(answered: Answered): void;
  /** A limit has refused a request. `policy` is one of those that are defined at start. */
  limited(policy: string): void;
}

/** Injection token of a `TrafficObserver`; nobody is told where it is not bound. */
export const TRAFFIC_OBSERVER = Symbol('TrafficObserver');
