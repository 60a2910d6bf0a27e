import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent } from '#eventsourcing/log/domain-event.js';
import type { Decided } from '#eventsourcing/writing/aggregate.js';

/** The parts of a decider: how events fold into a state, and how a command is decided on it. */
export interface Decider<State, Event extends DomainEvent, Command, Result, Refusal> {
  evolve(state: State | undefined, event: Event, revision: number): State;
  decide(state: State | undefined, command: Command, now: number): Decided<Event, Result, Refusal, unknown>;
}

/** `given(decider, ...events).when(command).then(...)`: both sides written in full, compared exactly. */
export function given<State, Event extends DomainEvent, Command, Result, Refusal>(
  decider: Decider<State, Event, Command, Result, Refusal>,
  ...events: readonly Event[]
) {
  let state: State | undefined;
  events.forEach((event, revision) => {
    state = decider.evolve(state, event, revision);
  });
  return {
    when(command: Command, now = 0) {
      return new Decision(decider.decide(state, command, now));
    },
  };
}

class Decision<Event extends DomainEvent, Result, Refusal> {
  constructor(private readonly decided: Decided<Event, Result, Refusal, unknown>) {}

  /** Accepted with exactly these events. */
  then(...events: readonly Event[]): this {
    demand('events', 'events' in this.decided ? this.decided.events : this.decided, events);
    return this;
  }

  /** Accepted, and nothing to change. */
  thenNothing(): this {
    return this.then();
  }

  /** Accepted with exactly this result. */
  withResult(result: Result): this {
    demand('result', 'result' in this.decided ? this.decided.result : this.decided, result);
    return this;
  }

  thenRejected(refusal: Refusal): this {
    demand('refusal', 'rejected' in this.decided ? this.decided.rejected : this.decided, refusal);
    return this;
  }
}

function demand(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const show = (value: unknown) => JSON.stringify(value, null, 2);
  throw new Error(`The ${what} differ.\nexpected: ${show(expected)}\nactual: ${show(actual)}`);
}
