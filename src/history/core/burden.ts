import type { Calendar } from '../../access/core/decision.js';
import { countsAgainstOthersFrom } from '../../access/core/outlook.js';
import type { SubjectUnit } from '../../access/core/subject.js';
import { type Course, holdingAt, type Holding, type PolicyCourse, type Span, turnsWithin } from './course.js';
import { ascending } from './window.js';

/** A unit that counts against its tenant's others for a while (milliseconds, the end excluded). */
interface Debt {
  readonly debtor: SubjectUnit;
  readonly from: number;
  readonly until: number;
}

/**
 * A unit of a tenant that counts against the others from an instant on, null for none: whichever does so for longest, so
 * that it seldom changes. One is enough: the debtor itself is denied for what it owes, before others are looked at.
 */
export interface Burden extends Holding {
  readonly debtor: SubjectUnit | null;
}

/**
 * What a tenant's units were to each other: all that a decision about one needs to know of the others. Says at each step
 * how much it was, which grows with what happened to the units and not with how many they are for each other.
 * @param courses those of all units that the tenant ever had to do with
 */
export function* burdensOf(
  tenant_id: string,
  courses: readonly Course[],
  policies: PolicyCourse,
  span: Span,
  calendar: Calendar,
): Generator<number, Burden[]> {
  const debts: Debt[] = [];
  for (const course of courses) {
    for (const debt of debtsOf(tenant_id, course, policies, span, calendar)) debts.push(debt);
    yield course.length + policies.length;
  }
  return yield* burdensFrom(debts);
}

function debtsOf(
  tenant_id: string,
  course: Course,
  policies: PolicyCourse,
  span: Span,
  calendar: Calendar,
): Debt[] {
  const turns = turnsWithin(span, course, policies);
  return turns.flatMap((at, place): Debt[] => {
    const unit = holdingAt(course, at)?.unit;
    if (unit?.tenancy?.tenant_id !== tenant_id) return [];
    const { policy } = holdingAt(policies, at)!;
    const from = Math.max(at, countsAgainstOthersFrom(unit, policy, at, calendar));
    const until = turns[place + 1] ?? Infinity;
    return from < until ? [{ debtor: unit, from, until }] : [];
  });
}

/** Sweeps over the debts once. */
function* burdensFrom(debts: readonly Debt[]): Generator<number, Burden[]> {
  const ends = debts.flatMap((debt) => [
    { at: debt.from, debt, begins: true },
    { at: debt.until, debt, begins: false },
  ]);
  ends.sort((one, other) => ascending(one.at, other.at));
  const standing = new Set<Debt>();
  const burdens: Burden[] = [];
  let told: Debt | undefined;
  for (let place = 0; place < ends.length;) {
    const { at } = ends[place]!;
    for (; ends[place]?.at === at; place += 1) {
      const { debt, begins } = ends[place]!;
      if (begins) standing.add(debt);
      else standing.delete(debt);
    }
    yield 1;
    // Stryker disable next-line ConditionalExpression: a shortcut, where nothing was told nothing of it stands
    if (told !== undefined && standing.has(told)) continue;
    yield standing.size;
    told = longest(standing);
    burdens.push({ from: at, debtor: told?.debtor ?? null });
  }
  return burdens;
}

function longest(debts: Iterable<Debt>): Debt | undefined {
  let found: Debt | undefined;
  for (const debt of debts) {
    if (found === undefined || debt.until > found.until) found = debt;
  }
  return found;
}
