import { sharesNow } from './model/unit-rules.js';
import { createHash } from 'node:crypto';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { verifyAnnouncements } from './announcements.js';
import { type Deployment, DEPLOYMENTS, Faults, NO_FAULTS } from './faults.js';
import { SeededIds } from './ids.js';
import type { Answer, Call } from './injected-request.js';
import { firstDifference, without } from './model/difference.js';
import { companyOf, keyedName, type Unit, unitKey, World } from './model/world.js';
import { flowNamed } from './operations/flows.js';
import { type Body, type Client, demand, Mismatch, type Reply } from './operations/operation.js';
import { checkHistory, checkLists } from './operations/reads.js';
import { operationNamed } from './operations/registry.js';
import { checkAccess } from './operations/tenants.js';
import { planStep, planWait } from './planner.js';
import { Random } from './random.js';
import { Receivers } from './receivers.js';
import { Scheduler } from './scheduler.js';
import { ServiceProcess, type SharedWorld } from './service-process.js';
import { type Ended, settle, unitsOf } from './settlement.js';
import { openFacilities, OPERATOR_ID, seedOperator } from './setup.js';
import type { LostViews, PlannedCall, Step } from './step.js';
import { DocumentData, MemoryDocumentStore } from './stores/memory-document-store.js';
import { MemoryEventStore } from './stores/memory-event-store.js';
import { Texts } from './texts.js';
import { type Observed, verifyUnit } from './verification.js';

/** A session ends after 60 minutes without a request. */
const OPERATOR_SESSION = 50 * 60_000;
const MOST_REMEMBERED = 40;
/** After so many attempts the world calms down: a client does not give up, and neither does a run. */
const STUBBORN = 6;
const MOST_ATTEMPTS = 120;
/** Seconds. A leader may have to be found first. */
const LONGEST_ANNOUNCING = 60;
const MINUTE = 60_000;
/** Minutes, and then thirds of hours: a try that failed often is repeated a day later. */
const LONGEST_DELIVERING = 60 + 300;

export interface SimulationOptions {
  /** Whether systems receive the announcements by webhook. */
  readonly hasReceivers?: boolean;
}
const WHOLE = { limit: 500, reader: 'integrator' } as const;

/** A service with its facilities, played step by step and held to the model after each. */
export class Simulation {
  readonly world = new World();
  readonly deployment: Deployment;
  private readonly random: Random;
  private readonly scheduler: Scheduler;
  private readonly faults: Faults;
  private readonly shared: SharedWorld;
  private readonly digest = createHash('sha256');
  private processes: ServiceProcess[] = [];
  private started = 0;
  private named = 0;
  private operatorSince = -Infinity;
  /** When something last failed. */
  private earlierViews: DocumentData | undefined;
  /** Requests that were answered. */
  requests = 0;
  crashes = 0;

  private constructor(
    readonly seed: string,
    { hasReceivers = false }: SimulationOptions,
  ) {
    this.random = new Random(seed);
    const facility = this.random.fork('facility');
    this.deployment = facility.pick(DEPLOYMENTS);
    const start = Date.UTC(2026, facility.below(12), facility.between(1, 28), facility.below(24));
    this.scheduler = new Scheduler(start, this.random.fork('order'));
    this.faults = new Faults(this.random.fork('faults'), this.deployment);
    const clock = this.scheduler.clockOf('world');
    this.shared = {
      deployment: this.deployment,
      scheduler: this.scheduler,
      faults: this.faults,
      ids: new SeededIds(clock, this.random.fork('ids')),
      events: new MemoryEventStore(),
      records: new MemoryDocumentStore(clock),
      views: new MemoryDocumentStore(clock),
      texts: new Texts(
        this.scheduler,
        this.random.fork('texts'),
        this.world,
        () => this.shared.events.data.events,
      ),
      receivers: hasReceivers ? new Receivers(this.scheduler, this.random.fork('receivers')) : undefined,
      failures: [],
      trace: (entry) => this.digest.update(entry),
    };
  }

  static async open(seed: string, options: SimulationOptions = {}): Promise<Simulation> {
    const simulation = new Simulation(seed, options);
    seedOperator(simulation.shared.records);
    await simulation.bootAll();
    await simulation.keepOperator();
    await simulation.drive(
      openFacilities(simulation.world, simulation.random.fork('facility'), simulation.client()),
    );
    const { receivers, texts } = simulation.shared;
    texts.verify();
    if (receivers !== undefined)
      await simulation.drive(receivers.subscribe(simulation.world, simulation.client()));
    return simulation;
  }

  /** Everything that happened so far, as one number. */
  get fingerprint(): string {
    return this.digest.copy().digest('hex');
  }

  /** Messages that came to receivers. */
  get messages(): number {
    return this.shared.receivers?.messages ?? 0;
  }

  /** Texts that tenants were sent about their access. */
  get texts(): number {
    return this.shared.texts.sent;
  }

  get faultCounts(): ReadonlyMap<string, number> {
    return this.faults.counts;
  }

  /** Makes up a step and plays it. @throws Mismatch, with the step in `record` already */
  async playNew(id: number, record: Step[], quiet = false): Promise<void> {
    const random = this.random.fork(`plan ${id}`);
    const wait = planWait(this.world, random);
    await this.begin(id, wait);
    const step = planStep(id, wait, this.world, random, quiet);
    record.push(step);
    await this.play(step);
  }

  /** Plays a step that was made up before. @throws Mismatch */
  async replay(step: Step): Promise<void> {
    await this.begin(step.id, step.wait);
    await this.play(step);
  }

  private async begin(id: number, wait: number): Promise<void> {
    this.scheduler.random = this.random.fork(`order ${id}`);
    this.faults.random = this.random.fork(`faults ${id}`);
    await this.scheduler.jump(wait);
    await this.scheduler.rest();
    this.world.now = this.scheduler.instant;
    await this.keepOperator();
    this.shared.texts.beginStep();
    this.digest.update(`step ${id} at ${this.world.now}\n`);
  }

  private async play(step: Step): Promise<void> {
    const begin = this.scheduler.instant;
    this.faults.rates = step.faults;
    const ended = await this.perform(step);
    await this.heal(step);
    const touched = [...new Set(ended.flatMap(unitsOf))];
    const seen = await this.observe(touched);
    settle(ended, this.world, seen, { begin, end: this.scheduler.instant });
    this.keepKeyed(ended, begin);
    this.shared.texts.verify();
    await this.verify(step, touched, seen);
    demand(this.shared.failures.length === 0, () => `The service failed: ${this.shared.failures.join('\n')}`);
  }

  /** Everything of the step at once, with the crash in the midst of it. */
  private async perform({ calls, inTurn, flow, crash }: Step): Promise<Ended[]> {
    const known = flow === null ? undefined : flowNamed(flow.name);
    const playing = known?.play(flow!.args, this.world, this.client());
    const all = Promise.all([
      inTurn
        ? this.oneAfterAnother(calls)
        : Promise.all(calls.map((call) => this.perhapsTwice(call))).then((ended) => ended.flat()),
      playing,
    ]);
    if (crash === null) return (await this.drive(all))[0];
    let over = false;
    const ending = all.finally(() => (over = true));
    ending.catch(() => undefined);
    const turn = this.scheduler.turns + crash.turn;
    await this.scheduler.until(() => over || this.scheduler.turns >= turn);
    await this.crash(crash.views, crash.all);
    return (await this.drive(ending))[0];
  }

  private async oneAfterAnother(calls: readonly PlannedCall[]): Promise<Ended[]> {
    const ended: Ended[] = [];
    for (const call of calls) {
      const name = `request-${(this.named += 1)}`;
      const stored = this.shared.events.data.events.length;
      const [one] = await this.perhapsTwice(call, name);
      const news = this.shared.events.data.events.slice(stored);
      // Some of several units may be done and others not.
      const isWhole = operationNamed(call.op).units(call.args).length === 1;
      const isStored = isWhole && news.some(({ metadata }) => metadata.request_id === name);
      ended.push({ ...one!, precedes: one!.answer !== undefined || isStored });
    }
    return ended;
  }

  /** A twin is one command that was sent twice: both hear the same, but for what an answer that is found again leaves out. */
  private async perhapsTwice(call: PlannedCall, name?: string): Promise<Ended[]> {
    const [first, second] = await Promise.all([
      this.send(call, name),
      call.twin ? this.send(call, name) : undefined,
    ]);
    if (first !== undefined && second !== undefined) {
      demand(
        first.status === second.status && isSameAnswer(first.text, second.text),
        () => `${call.op} under ${call.key} was answered ${first.text} and ${second.text}`,
      );
    }
    return [{ call, answer: first }];
  }

  /**
   * With a key until somebody answers; without one there is no second try.
   * @param name by which its events are known in the log
   */
  private async send(planned: PlannedCall, name?: string): Promise<Answer | undefined> {
    const call = operationNamed(planned.op).call(planned.args, this.world);
    const named: Record<string, string> = name === undefined ? {} : { 'x-request-id': name };
    if (planned.key !== null) {
      return this.untilAnswered({ ...call, headers: { 'idempotency-key': planned.key, ...named } });
    }
    const answer = await this.request({ ...call, headers: named });
    return answer === undefined || answer.status === 503 ? undefined : answer;
  }

  private async untilAnswered(call: Call): Promise<Answer> {
    for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt += 1) {
      // Each time, for a crash puts back the rates that it found.
      if (attempt >= STUBBORN) this.faults.rates = NO_FAULTS;
      const answer = await this.request(call);
      if (answer !== undefined && answer.status !== 503) return answer;
      await this.pause(Number(answer?.headers['retry-after'] ?? 1) * 1000);
    }
    throw new Mismatch(`${call.method} ${call.path} was never answered.`);
  }

  private async request(call: Call): Promise<Answer | undefined> {
    // While all processes start anew, clients knock in vain.
    while (this.processes.length === 0) await this.pause(100);
    const answer = await this.scheduler.random.pick(this.processes).request(call);
    this.requests += 1;
    this.digest.update(`${call.method} ${call.path} ${answer?.status} ${answer?.text}\n`);
    demand(
      answer === undefined || answer.status !== 500,
      () => `${call.method} ${call.path}: ${this.shared.failures.join('\n')}`,
    );
    return answer;
  }

  private client(): Client {
    return {
      random: this.random,
      definite: async (call): Promise<Reply> => {
        const answer = await this.untilAnswered(call);
        this.world.now = this.scheduler.instant;
        return { ...answer, body: answer.text === '' ? {} : JSON.parse(answer.text) };
      },
      pause: async (milliseconds) => {
        await this.pause(milliseconds);
        this.world.now = this.scheduler.instant;
      },
      eventsOf: (stream) => this.shared.events.readStreamNow(stream).length,
    };
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.scheduler.clockOf('client').after(milliseconds, resolve));
  }

  /** Lets the world go on until a promise has settled. */
  private async drive<T>(promise: Promise<T>): Promise<T> {
    let over = false;
    const ending = promise.finally(() => (over = true));
    ending.catch(() => undefined);
    await this.scheduler.until(() => over);
    return ending;
  }

  /** As `drive`, for what only reads, while nothing else is under way. */
  private async calmly<T>(start: () => Promise<T>): Promise<T> {
    await this.scheduler.rest();
    demand(this.scheduler.isAtRest, () => 'Something is under way that a reading would pass.');
    this.scheduler.calm = true;
    try {
      return await this.drive(start());
    } finally {
      this.scheduler.calm = false;
    }
  }

  /** No more faults; what is still on its way arrives, and the views come up to the log. */
  private async heal({ faults, crash }: Step): Promise<void> {
    this.faults.rates = NO_FAULTS;
    await this.scheduler.rest();
    const wasCalm = faults.events + faults.records + faults.views === 0 && crash === null;
    for (let round = 0; !wasCalm; round += 1) {
      const lag = await this.drive(this.processes[0]!.lag());
      await this.scheduler.rest();
      if (lag === 0) break;
      demand(round < 120, () => `The views stay ${lag} events behind the log.`);
      await this.drive(this.pause(500));
    }
    this.world.now = this.scheduler.instant;
  }

  private async crash(views: LostViews, all: boolean, processes?: number): Promise<void> {
    this.crashes += 1;
    const rates = this.faults.rates;
    this.faults.rates = NO_FAULTS;
    const ending = all || views !== 'kept' ? this.processes : [this.scheduler.random.pick(this.processes)];
    this.processes = this.processes.filter((one) => !ending.includes(one));
    for (const one of ending) one.crash();
    if (views === 'deleted') this.shared.views.data = new DocumentData();
    if (views === 'earlier' && this.earlierViews !== undefined)
      this.shared.views.data = this.earlierViews.copy();
    await this.bootAll(processes);
    this.faults.rates = rates;
  }

  private async bootAll(wanted = this.deployment === 'cluster' ? 2 : 1): Promise<void> {
    while (this.processes.length < wanted) {
      this.started += 1;
      this.processes.push(await ServiceProcess.start(`p${this.started}`, this.shared));
    }
  }

  private async keepOperator(): Promise<void> {
    if (this.scheduler.instant - this.operatorSince < OPERATOR_SESSION) return;
    this.operatorSince = this.scheduler.instant;
    this.world.operatorToken = await this.drive(this.processes[0]!.openOperatorSession(OPERATOR_ID));
  }

  private keepKeyed(ended: readonly Ended[], since: number): void {
    for (const { call, answer } of ended) {
      if (call.key === null || answer === undefined) continue;
      const { op, args, key } = call;
      const { company } = args as { company: number };
      this.world.keyed.set(keyedName(company, key), {
        key,
        company,
        op,
        args,
        status: answer.status,
        text: answer.text,
        since,
      });
    }
  }

  private async observe(keys: readonly string[]): Promise<Map<string, Observed>> {
    const observed = await this.calmly(() => Promise.all(keys.map((key) => this.read(key))));
    return new Map(keys.map((key, place) => [key, observed[place]!]));
  }

  /** A unit as the operator sees it, and now and then as the integrator does: both must say the same. */
  private async read(key: string): Promise<Observed> {
    const known = this.world.units.get(key)?.unit_id ?? null;
    const pushed =
      known === null || this.scheduler.random.chance(0.2) ? await this.readPushed(key) : undefined;
    if (pushed === null && known === null) return null;
    const detail = await this.client().definite({
      method: 'GET',
      path: `/api/operator/units/${known ?? pushed!.unit_id}`,
      token: this.world.operatorToken,
    });
    demand(detail.status === 200, () => `${key} was answered ${detail.status} ${detail.text}`);
    // It comes from a count that is made now and then.
    const lasting = without(detail.body.data, 'locked_out_since');
    const shown = sharedPartOf(lasting);
    const told = lasting.retired === true ? null : shown;
    const fault = pushed === undefined ? undefined : firstDifference(told, pushed);
    demand(fault === undefined, () => `${key}, seen by the operator: ${fault}`);
    return { shown, detail: lasting };
  }

  private async readPushed(key: string): Promise<Body> {
    const { token } = this.world.companies[Number(key[0])]!;
    const known = this.world.units.get(key)?.unit_id ?? null;
    const named = known === null || this.scheduler.random.chance(0.5) ? key.slice(2) : `ulid:${known}`;
    const path = `/api/v2/units/${encodeURIComponent(named)}`;
    const reply = await this.client().definite({ method: 'GET', path, token });
    if (reply.status === 404) return null;
    demand(reply.status === 200, () => `${path} was answered ${reply.status} ${reply.text}`);
    return reply.body.data;
  }

  /** What the step wrote to, what hangs on it, and now and then everything. */
  private async verify(step: Step, touched: readonly string[], seen: Map<string, Observed>): Promise<void> {
    const random = this.random.fork(`verify ${step.id}`);
    const { units } = this.world;
    const near = step.flow === null ? this.near(touched) : [...units.values()];
    const whole = random.chance(0.03) || step.crash !== null;
    const more = (whole ? [...units.values()] : random.sample(near, 3))
      .map(keyOf)
      .filter((key) => !seen.has(key));
    for (const [key, observed] of await this.observe(more)) seen.set(key, observed);
    for (const [key, observed] of seen) {
      const unit = units.get(key);
      if (unit === undefined) continue;
      verifyUnit(unit, observed, this.world);
      if (random.chance(0.06)) this.remember(key, observed!.shown);
    }
    if (whole) await this.verifyAccess();
    if (random.chance(0.05)) this.earlierViews = this.shared.views.data.copy();
  }

  /** The other units of the tenants of the units. */
  private near(touched: readonly string[]): Unit[] {
    return touched.flatMap((key) => {
      const unit = this.world.units.get(key);
      const tenant = unit?.facts.pms_tenant_id ?? null;
      return unit === undefined || tenant === null
        ? []
        : this.world.rentedBy(unit.company, unit.place, tenant);
    });
  }

  private remember(unit: string, shown: unknown): void {
    const { remembered } = this.world;
    if (remembered.length >= MOST_REMEMBERED)
      remembered.splice(this.scheduler.random.below(remembered.length), 1);
    const known = this.world.units.get(unit)!;
    const at = this.world.nowOf(companyOf(unit));
    remembered.push({ unit, at, shown, retired: known.retired, shares: sharesNow(known, at) });
  }

  private async verifyAccess(): Promise<void> {
    for (const session of this.world.sessions.slice(-5)) {
      await this.calmly(() => checkAccess(session, this.world, this.client()));
    }
  }

  /** Lets time pass until what was announced is what is decided. @throws Mismatch where it never is */
  private async untilAnnounced(): Promise<void> {
    this.faults.rates = NO_FAULTS;
    for (let round = 0; ; round += 1) {
      await this.drive(this.pause(1_000));
      await this.scheduler.rest();
      this.world.now = this.scheduler.instant;
      try {
        return verifyAnnouncements(this.world, this.shared.events.data.events);
      } catch (error) {
        if (!(error instanceof Mismatch) || round >= LONGEST_ANNOUNCING) throw error;
      }
    }
  }

  /** Lets time pass until the receivers know what was announced. @throws Mismatch where they never do */
  private async untilReceived(): Promise<void> {
    const { receivers, events } = this.shared;
    if (receivers === undefined) return;
    receivers.isSound = true;
    for (let round = 0; ; round += 1) {
      await this.drive(this.pause(round < 60 ? MINUTE : 20 * MINUTE));
      await this.scheduler.rest();
      this.world.now = this.scheduler.instant;
      try {
        receivers.verify(this.world, events.data.events);
        return verifyAnnouncements(this.world, events.data.events);
      } catch (error) {
        if (!(error instanceof Mismatch) || round >= LONGEST_DELIVERING) throw error;
      }
    }
  }

  /**
   * Compares everything with the model. Then deletes the views, lets a new process rebuild them and demands the same
   * answers. Checks the hash chain of all streams. @throws Mismatch
   */
  async finish(): Promise<void> {
    await this.begin(-1, 1);
    await this.untilAnnounced();
    await this.drive(checkLists(this.world, this.client()));
    await this.scheduler.rest();
    const keys = [...this.world.units.keys()];
    // Before the first reading, because keys that are given out show in it.
    await this.verifyAccess();
    const before = await this.observe(keys);
    for (const [key, observed] of before) verifyUnit(this.world.units.get(key)!, observed, this.world);
    for (const key of keys) {
      await this.calmly(() => checkHistory(this.world.units.get(key)!, WHOLE, this.world, this.client()));
    }
    const { instant } = this.scheduler;
    await this.crash('deleted', true, 1);
    const after = await this.observe(keys);
    demand(this.scheduler.instant === instant, () => 'The clock moved between the two readings.');
    for (const key of keys) {
      const fault = firstDifference(after.get(key), before.get(key));
      demand(fault === undefined, () => `${key} from views built anew: ${fault}`);
    }
    await this.verifyAccess();
    await this.drive(checkLists(this.world, this.client()));
    await this.untilAnnounced();
    const { ok, fault } = await verifyAll(this.shared.events, { readsEachStream: true });
    demand(ok, () => `The hash chain does not hold: ${JSON.stringify(fault)}`);
    await this.untilReceived();
    this.shared.texts.verify();
    this.shared.texts.verifyEvents();
  }
}

function keyOf(unit: Unit): string {
  return unitKey(unit.company, unit.crm_unit_id);
}

/** What a read of the unit shows to both, in the order in which it does. */
function sharedPartOf(detail: Body): Body {
  return without(
    detail as object,
    ...([
      'company_id',
      'override',
      'round_the_clock',
      'locks',
      'other_keys_outstanding',
      'zones',
      'tenant',
      'shares',
      'invitations',
      'retired',
    ] as never[]),
  );
}

/** An answer that could not be kept is made again from the log, without the access of then (decisions §3). */
function isSameAnswer(one: string, other: string): boolean {
  if (one === other) return true;
  const [found, kept] = one.length < other.length ? [one, other] : [other, one];
  const { data, ...rest } = JSON.parse(kept) as { readonly data?: { readonly access?: unknown } };
  if (data?.access === undefined) return false;
  return found === JSON.stringify({ ...rest, data: { ...data, access: undefined } });
}
