import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { judge } from './model/decision.js';
import { unitKey, type World } from './model/world.js';
import { type Body, Mismatch } from './operations/operation.js';
import { inputOf } from './operations/tenants.js';

const PREFIX = 'access-';

/** What was announced about a unit, oldest first. */
interface Announced {
  readonly type: string;
  /** Null for a new unit; absent in a baseline. */
  readonly from: Body;
  readonly to: Body;
}

/**
 * Holds what was announced to the model: of each unit the last announcement is what is decided, each follows the one before,
 * and none tells the same again. @throws Mismatch
 */
export function verifyAnnouncements(world: World, log: readonly RecordedEvent[]): void {
  const byUnit = announcedByUnit(log);
  for (const unit of world.units.values()) {
    const { unit_id } = unit;
    if (unit_id === null) continue;
    const key = unitKey(unit.company, unit.crm_unit_id);
    const { state, reason } = judge(inputOf(world, unit), world.nowOf(unit.company));
    const announced = byUnit.get(unit_id) ?? [];
    const last = announced.at(-1)?.to;
    if (last?.state !== state || last?.reason !== reason)
      throw new Mismatch(
        `${key}: ${JSON.stringify(last)} was announced last, should be ${JSON.stringify({ state, reason })}`,
      );
    verifyOrder(key, announced);
  }
}

function verifyOrder(key: string, announced: readonly Announced[]): void {
  for (const [index, { type, from, to }] of announced.entries()) {
    const before = announced[index - 1]?.to;
    const expected = type === 'AccessBaseline' ? undefined : (before ?? null);
    if (type === 'AccessBaseline' && index > 0)
      throw new Mismatch(`${key}: a baseline follows announcements.`);
    if (JSON.stringify(from) !== JSON.stringify(expected))
      throw new Mismatch(
        `${key}: announced from ${JSON.stringify(from)}, should be ${JSON.stringify(expected)}`,
      );
    if (JSON.stringify(to) === JSON.stringify(before))
      throw new Mismatch(`${key}: ${JSON.stringify(to)} was announced twice`);
  }
}

function announcedByUnit(log: readonly RecordedEvent[]): ReadonlyMap<string, Announced[]> {
  const byUnit = new Map<string, Announced[]>();
  for (const { stream, type, data } of log) {
    if (!stream.startsWith(PREFIX)) continue;
    const { unit_id, from, to } = data as Body;
    const known = byUnit.get(unit_id as string) ?? [];
    byUnit.set(unit_id as string, [...known, { type, from, to }]);
  }
  return byUnit;
}
