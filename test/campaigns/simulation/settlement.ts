import type { Answer } from './injected-request.js';
import { type Account, companyOf, type Unit, type World } from './model/world.js';
import { type Body, type Expected, Mismatch } from './operations/operation.js';
import { operationNamed } from './operations/registry.js';
import type { PlannedCall } from './step.js';
import { type Observed, stateDifference } from './verification.js';

/** A call and its answer; undefined where nobody knows whether it was done. */
export interface Ended {
  readonly call: PlannedCall;
  readonly answer: Answer | undefined;
  /** It came before those that follow it: those began when it had been answered, or stood in the log. */
  readonly precedes?: boolean;
}

/** When the step began, by which answers are judged. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Units that a step wrote to, as reads showed them. */
export type Observations = ReadonlyMap<string, Observed>;

/**
 * Brings the world to where the service is, or finds that no order of the calls leads there. Calls that wrote to units
 * of their own are taken one by one; those that met on a unit in every order, with those nobody answered done or not.
 * @throws Mismatch
 */
export function settle(ended: readonly Ended[], world: World, seen: Observations, span: Span): void {
  for (const group of groupsOf(ended)) {
    if (group.length === 1) settleAlone(group[0]!, world, seen, span);
    else settleContest(group, world, seen, span);
  }
}

function groupsOf(ended: readonly Ended[]): Ended[][] {
  const groups: { units: Set<string>; members: Ended[] }[] = [];
  for (const one of ended) {
    const units = unitsOf(one);
    const met = groups.find((group) => units.some((unit) => group.units.has(unit)));
    if (met === undefined) groups.push({ units: new Set(units), members: [one] });
    else {
      met.members.push(one);
      for (const unit of units) met.units.add(unit);
    }
  }
  return groups.map(({ members }) => members);
}

export function unitsOf({ call }: Ended): readonly string[] {
  return operationNamed(call.op).units(call.args);
}

function isDryRun({ args }: PlannedCall): boolean {
  return (args as { dry_run?: boolean }).dry_run === true;
}

function settleAlone(one: Ended, world: World, seen: Observations, span: Span): void {
  if (one.answer === undefined) {
    settleUnanswered(one, world, seen);
    return;
  }
  const fault = apply(one, world, span) ?? differenceOf(unitsOf(one), world, seen);
  if (fault !== undefined) throw new Mismatch(`${textOf(one)}: ${fault}`);
}

/** Each unit's part may have been done or not, on its own. */
function settleUnanswered({ call, answer }: Ended, world: World, seen: Observations): void {
  const op = operationNamed(call.op);
  op.unsure?.(call.args, world);
  for (const unit of op.units(call.args)) {
    const before = differenceOf([unit], world, seen);
    if (before === undefined) continue;
    const saved = save(world, [unit]);
    if (!isDryRun(call)) op.expect(call.args, world, new Set([unit]));
    op.unsure?.(call.args, world);
    const after = differenceOf([unit], world, seen);
    if (after === undefined) continue;
    saved.restore();
    throw new Mismatch(
      `${textOf({ call, answer })}, unanswered: neither undone (${before}) nor done (${after})`,
    );
  }
}

function settleContest(group: readonly Ended[], world: World, seen: Observations, span: Span): void {
  const units = [...new Set(group.flatMap(unitsOf))];
  const saved = save(world, units);
  const faults: string[] = [];
  for (const order of ordersOf(group)) {
    saved.restore();
    const fault = applyAll(order, world, span) ?? differenceOf(units, world, seen);
    if (fault === undefined) return;
    faults.push(`${order.map(({ call }) => call.op).join(', ')}: ${fault}`);
  }
  const told = group.map(textOf).join('\n  ');
  throw new Mismatch(
    `No order of these explains what was answered and is there:\n  ${told}\n  ${faults.join('\n  ')}`,
  );
}

function applyAll(order: readonly Ended[], world: World, span: Span): string | undefined {
  for (const one of order) {
    const fault = apply(one, world, span);
    if (fault !== undefined) return `${one.call.op}: ${fault}`;
  }
  return undefined;
}

/** Does a call to the world; what its answer should have been, where it was another. */
function apply({ call, answer }: Ended, world: World, span: Span): string | undefined {
  const op = operationNamed(call.op);
  const units = op.units(call.args);
  const saved = isDryRun(call) ? save(world, units) : undefined;
  const ids = units.map((unit) => world.units.get(unit)?.unit_id ?? null);
  const expected = toldOf(op.expect(call.args, world), isDryRun(call));
  saved?.restore();
  if (answer === undefined) {
    op.unsure?.(call.args, world);
    return undefined;
  }
  const lived = livedThrough(span, world.aheadOf(companyOf(units[0]!)));
  return answerDifference(expected, answer, lived, isDryRun(call)) ?? idDifference(ids, bodyOf(answer));
}

/** A dry run says that it was one. */
function toldOf(expected: Expected, dry: boolean): Expected {
  return dry && expected.status < 300 ? { ...expected, message: 'Dry run: nothing was stored.' } : expected;
}

/** When the step began and ended by a company's clock. */
function livedThrough({ begin, end }: Span, ahead: number): Span {
  return { begin: begin + ahead, end: end + ahead };
}

function idDifference(ids: readonly (string | null)[], body: Body): string | undefined {
  const [known] = ids.length === 1 ? ids : [null];
  const told = body.data?.unit_id as string | null | undefined;
  if (typeof told !== 'string' || typeof known !== 'string' || told === known) return undefined;
  return `the unit is ${known}, not ${told}`;
}

function bodyOf({ text }: Answer): Body {
  return text === '' ? {} : JSON.parse(text);
}

function answerDifference(expected: Expected, answer: Answer, span: Span, dry: boolean): string | undefined {
  const body = bodyOf(answer);
  if (answer.status !== expected.status) {
    return `${expected.status} expected, answered ${answer.status} ${answer.text}`;
  }
  if (expected.message !== undefined && body.message !== expected.message) {
    return `'${expected.message}' expected, answered ${answer.text}`;
  }
  if (expected.errors !== undefined) return difference('errors', expected.errors, body.errors);
  return answer.status >= 300 ? undefined : dataDifference(expected, body.data, span, dry);
}

function dataDifference(expected: Expected, data: Body, span: Span, dry: boolean): string | undefined {
  const warnings = (data.warnings ?? []).map(({ code }: Body) => code);
  return (
    difference('warnings', expected.warnings ?? warnings, warnings) ??
    difference('dry_run', dry ? true : undefined, data.dry_run) ??
    timeDifference(data, span) ??
    membersDifference(decided(expected, data), data)
  );
}

/** What stands in `data`, of what may stand there in one of two ways the one that was found. */
function decided({ data = {}, undecided = 0 }: Expected, found: Body): Readonly<Record<string, unknown>> {
  const { updated, unchanged } = data as { updated: number; unchanged: number };
  const more = undecided === 0 ? 0 : found.updated - updated;
  const possible = more > 0 && more <= undecided;
  return possible ? { ...data, updated: updated + more, unchanged: unchanged - more } : data;
}

function timeDifference(data: Body, { begin, end }: Span): string | undefined {
  const at = Date.parse(data.applied_at ?? data.synced_at);
  return at < begin || at > end ? `applied at another time: ${JSON.stringify(data)}` : undefined;
}

function membersDifference(expected: Readonly<Record<string, unknown>>, data: Body): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    const fault = difference(name, value, data[name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function difference(what: string, expected: unknown, found: unknown): string | undefined {
  const [one, other] = [JSON.stringify(expected), JSON.stringify(found)];
  return one === other ? undefined : `${what} ${one} expected, answered ${other}`;
}

function differenceOf(units: readonly string[], world: World, seen: Observations): string | undefined {
  for (const key of units) {
    const fault = stateDifference(world.units.get(key), seen.get(key)!, world.nowOf(companyOf(key)));
    if (fault !== undefined) return `${key} ${fault}`;
  }
  return undefined;
}

/** Every order that the calls can have come in, with those that were perhaps not done left out in every way. */
function* ordersOf(group: readonly Ended[]): Generator<Ended[]> {
  const unanswered = group.filter(({ answer, precedes }) => answer === undefined && precedes !== true);
  for (let out = 0; out < 1 << unanswered.length; out += 1) {
    const left = new Set(unanswered.filter((_, place) => (out >> place) & 1));
    yield* possibleOrders(group.filter((one) => !left.has(one)));
  }
}

/** Nothing comes before what preceded it. */
function* possibleOrders(items: readonly Ended[]): Generator<Ended[]> {
  if (items.length === 0) yield [];
  for (const [place, item] of items.entries()) {
    for (const rest of possibleOrders([...items.slice(0, place), ...items.slice(place + 1)]))
      yield [item, ...rest];
    if (item.precedes === true) return;
  }
}

/** Keeps units and accounts as they are, to come back to. */
function save(world: World, units: readonly string[]): { restore(): void } {
  const kept = units.map((key): [string, Unit | undefined] => {
    const unit = world.units.get(key);
    return [key, unit && { ...unit }];
  });
  const accounts = [...world.accounts].map(([key, account]): [string, Account] => [key, { ...account }]);
  return {
    restore() {
      for (const [key, unit] of kept) {
        if (unit === undefined) world.units.delete(key);
        else world.units.set(key, { ...unit });
      }
      world.accounts.clear();
      for (const [key, account] of accounts) world.accounts.set(key, { ...account });
    },
  };
}

function textOf({ call, answer }: Ended): string {
  const told = answer === undefined ? 'no answer' : `${answer.status} ${answer.text}`;
  return `${call.op} ${JSON.stringify(call.args)} ${call.key ?? ''} → ${told}`;
}
