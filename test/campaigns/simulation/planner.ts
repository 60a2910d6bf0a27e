import { type FaultRates, NO_FAULTS } from './faults.js';
import { keyedName, type World } from './model/world.js';
import { pushFacts, thereAndBack } from './operations/change-facts.js';
import { FLOWS } from './operations/flows.js';
import { OPERATIONS, operationNamed } from './operations/registry.js';
import type { Random } from './random.js';
import type { PlannedCall, Step } from './step.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** After a step has begun in which a key was used, it may take so long. */
const SURELY_FORGOTTEN = DAY + 30 * MINUTE;

/** How long nothing happens. Days begin where decisions change, so many jumps end right before or after midnight. */
export function planWait(world: World, random: Random): number {
  const kinds: { weight: number; wait: () => number }[] = [
    { weight: 60, wait: () => random.between(1, 50) },
    { weight: 14, wait: () => random.between(1, 30) * MINUTE },
    { weight: 9, wait: () => random.between(1, 20) * HOUR },
    { weight: 10, wait: () => toMidnight(world, random) },
    { weight: 6, wait: () => random.between(1, 4) * DAY },
    { weight: 1, wait: () => random.between(20, 45) * DAY },
  ];
  return Math.max(1, random.weighted(kinds).wait());
}

function toMidnight(world: World, random: Random): number {
  return world.untilMidnight(random.pick(world.places())) + random.pick([-1, 0, 1, 60_000]);
}

/** @param quiet without faults and crashes. */
export function planStep(id: number, wait: number, world: World, random: Random, quiet: boolean): Step {
  const crash =
    !quiet && random.chance(0.015)
      ? {
          turn: random.between(0, 60),
          views: random.pick(['kept', 'kept', 'earlier', 'deleted'] as const),
          all: random.chance(0.4),
        }
      : null;
  const step = { id, wait, faults: quiet ? NO_FAULTS : anyFaults(random), crash };
  if (!random.chance(0.4)) return { ...step, ...planCalls(id, world, random), flow: null };
  const known = random.weighted(FLOWS);
  const args = known.plan(world, random);
  if (args === undefined) return { ...step, ...planCalls(id, world, random), flow: null };
  const beside =
    known.beside && random.chance(0.7) ? planCalls(id, world, random) : { calls: [], inTurn: false };
  const faults = known.wantsRecords === true ? NO_FAULTS : step.faults;
  return {
    ...step,
    faults,
    crash: known.wantsRecords === true ? null : crash,
    ...beside,
    flow: { name: known.name, args },
  };
}

function anyFaults(random: Random): FaultRates {
  const delay = random.pick([0, 0.3, 0.6]);
  if (random.chance(0.55)) return { ...NO_FAULTS, delay };
  const rate = () => random.pick([0, 0, 0.03, 0.1, 0.3]);
  return { records: rate(), events: rate(), views: rate(), delay };
}

function planCalls(id: number, world: World, random: Random): Pick<Step, 'calls' | 'inTurn'> {
  const kind = random.weighted([
    { weight: 45, kind: 'one' },
    { weight: 30, kind: 'many' },
    { weight: 15, kind: 'contest' },
    { weight: 10, kind: 'in turn' },
  ] as const).kind;
  if (kind === 'contest')
    return { calls: planContest(id, world, random, anyUnit(world, random)), inTurn: false };
  // A unit that the first of them makes is not known to the world before all have ended.
  if (kind === 'in turn' && world.units.size > 0)
    return { calls: planInTurn(id, world, random), inTurn: true };
  return { calls: planApart(id, world, random, kind === 'one' ? 1 : random.between(2, 5)), inTurn: false };
}

/** Writes to units of their own. */
function planApart(id: number, world: World, random: Random, wanted: number): PlannedCall[] {
  const taken = new Set<string>();
  const calls: PlannedCall[] = [];
  for (let attempt = 0; attempt < 20 && calls.length < wanted; attempt += 1) {
    const op = random.weighted(OPERATIONS);
    const args = op.plan(world, random);
    if (args === undefined) continue;
    const units = op.units(args);
    if (units.some((unit) => taken.has(unit))) continue;
    for (const unit of units) taken.add(unit);
    calls.push(withKey({ id, place: calls.length }, op.name, args, { world, random }));
  }
  return calls;
}

function anyUnit({ units }: World, random: Random): string {
  return units.size > 0 && random.chance(0.8) ? random.pick([...units.keys()]) : '0/A-101';
}

/** Several writes to one unit: the answers must be those of some order that they can have come in. */
function planContest(id: number, world: World, random: Random, unit: string): PlannedCall[] {
  const wanted = random.between(2, 3);
  const calls: PlannedCall[] = [];
  for (let attempt = 0; attempt < 20 && calls.length < wanted; attempt += 1) {
    const op = random.weighted(OPERATIONS);
    const args = op.planFor?.(world, random, unit);
    if (args !== undefined)
      calls.push(withKey({ id, place: calls.length }, op.name, args, { world, random }));
  }
  return calls;
}

function planInTurn(id: number, world: World, random: Random): PlannedCall[] {
  const unit = random.pick([...world.units.keys()]);
  if (random.chance(0.5)) return planContest(id, world, random, unit);
  const { name } = pushFacts;
  // Without a key nobody tries again, and what became of the first stays open.
  return thereAndBack(world, random, unit).map((args) => ({ op: name, args, key: null, twin: false }));
}

function withKey(
  where: { id: number; place: number },
  op: string,
  args: unknown,
  { world, random }: { world: World; random: Random },
): PlannedCall {
  // A dry run takes no key.
  const isDryRun = (args as { dry_run?: boolean }).dry_run === true;
  const keyed = operationNamed(op).keyed && !isDryRun && random.chance(0.6);
  if (!keyed) return { op, args, key: null, twin: false };
  const { company } = args as { company: number };
  const former = where.place === 0 && random.chance(0.15) ? usedKeys(company, world) : [];
  const key = former.length > 0 ? random.pick(former) : `k-${where.id}-${where.place}`;
  return { op, args, key, twin: random.chance(0.15) };
}

/** Keys that were used and are new to the company all the same: another company's, and its own after a day. */
function usedKeys(company: number, world: World): string[] {
  return [...world.keyed.values()]
    .slice(-200)
    .filter((one) =>
      one.company === company
        ? world.now >= one.since + SURELY_FORGOTTEN
        : !world.keyed.has(keyedName(company, one.key)),
    )
    .map(({ key }) => key);
}
