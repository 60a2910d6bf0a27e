import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import {
  decidePullSource,
  evolvePullSource,
  type PullSourceCommand,
  type PullSourceState,
} from './core/pull-source.decide.js';
import {
  PULL_SOURCE_CATEGORY,
  PULL_SOURCE_EVENT_TYPES,
  type PullSourceEvent,
} from './core/pull-source.events.js';

export type PullSourceKind = Kind<PullSourceState, PullSourceEvent, PullSourceCommand, undefined, never>;

/** Streams `pull-{pull_source_id}`. */
export const PULL_SOURCE: Aggregate<PullSourceKind> = {
  category: PULL_SOURCE_CATEGORY,
  types: PULL_SOURCE_EVENT_TYPES,
  evolve: evolvePullSource,
  decide: decidePullSource,
};
