import { type DamageCause, isStray, type StreamDamage } from './damaged-streams.js';

const CAUSES: Readonly<Record<DamageCause, string>> = {
  foreign_event: 'an event that this service did not write stands there',
  deleted: 'somebody deleted the stream for ever',
  shortened: 'somebody deleted the beginning of the stream',
  limited: 'the metadata of the stream make the store delete its oldest events ($maxAge, $maxCount)',
};

/** A line for people who run the service. */
export function describeDamage(damage: StreamDamage): string {
  const { stream, revision, cause } = damage;
  return isStray(damage)
    ? `The stream ${stream} has this service's prefix, and this service did not write it.`
    : `The history of ${stream} is damaged from revision ${revision} on: ${CAUSES[cause]}.`;
}
