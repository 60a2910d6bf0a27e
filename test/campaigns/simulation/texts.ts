import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { type SmsSender, SmsUnavailableError } from '#domain/tenants/index.js';
import { daysLater, localDate } from './model/calendar.js';
import { judge } from './model/decision.js';
import { type Account, type Notices, type Place, type Unit, World } from './model/world.js';
import { Mismatch } from './operations/operation.js';
import { inputOf } from './operations/tenants.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Milliseconds that the provider takes. */
const SLOWEST = 2 * SECOND;
/** A text may be judged so long before it is sent. */
const JUDGED_BEFORE = 30 * SECOND;
/** Looks back from a text: the state must have been the same. */
const SETTLED = [0, 5 * MINUTE, 10 * MINUTE, 14 * MINUTE + 30 * SECOND];

/** More units are counted and not named. */
const MOST_NAMES = 5;

type Kind = keyof Notices;

/** A text as the provider got it. */
interface Text {
  readonly to: string;
  readonly body: string;
  readonly at: number;
  /** Events in the log at that instant. */
  readonly logged: number;
}

/** What the model knew after a step, and when that step began: its writes were done somewhere between. */
interface Known {
  readonly begun: number;
  readonly from: number;
  readonly world: World;
}

/** The event of a text. */
interface Notified {
  readonly notice_id: string;
  readonly kind: Kind;
  readonly unit_ids: readonly string[];
  readonly outcome: string;
}

/** A unit that a text is about, and when. */
interface Told {
  readonly kind: Kind;
  readonly at: number;
  readonly logged: number;
  /** Of a closing: the instants that it may have meant. */
  readonly ends: ReadonlySet<number | null>;
}

/** How a unit is to its tenant. Null: it rents it no more. */
type Access = 'open' | 'closed' | 'not_begun' | null;

/** Texts about shares, which have a check of their own. */
const OF_SHARES = /^Somebody shares a storage unit|^.+: somebody has accepted your invitation/;

const SHAPES: readonly { readonly kind: Kind; readonly shape: RegExp }[] = [
  { kind: 'welcome', shape: /^Welcome to (?<place>.+?)\. Units? (?<units>.+?) (?:is|are) open for you/ },
  { kind: 'opened', shape: /^(?<place>.+?): units? (?<units>.+?) (?:is|are) open again\./ },
  { kind: 'closed', shape: /^(?<place>.+?): units? (?<units>.+?) (?:is|are) closed\./ },
  { kind: 'closes_in_days', shape: /^(?<place>.+?): (?<units>.+? on .+?)\.(?: You owe|$| Questions)/ },
];

/**
 * The texts to tenants of a run, held to a naive model: at most one for each cause, none at night, none of a state that is
 * younger than a quarter of an hour, none to a tenant for whom it is not so. Texts of sandboxes reach no phone.
 */
export class Texts {
  readonly #known: Known[] = [];
  /** By unit and tenant, oldest first. */
  readonly #told = new Map<string, Told[]>();
  /** Texts whose event is not there yet. */
  #open: Text[] = [];
  /** Events that tell of a text that was sent. */
  readonly #events = new Set<string>();
  #sent = 0;
  #begun = -Infinity;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
    private readonly world: World,
    private readonly log: () => readonly RecordedEvent[],
  ) {}

  /** Texts that were sent. */
  get sent(): number {
    return this.#sent;
  }

  /** The provider as a process sees it: now and then it refuses a text, or its answer is lost. */
  senderOf(owner: string): SmsSender {
    return {
      send: (to, body) => {
        if (OF_SHARES.test(body)) return Promise.resolve();
        const code = /\b\d{6}\b/.exec(body)?.[0];
        if (code !== undefined && shapeOf(body) === undefined) {
          this.world.codes.set(to, code);
          return Promise.resolve();
        }
        return this.#take(owner, to, body);
      },
      forget: () => Promise.resolve(),
    };
  }

  #take(owner: string, to: string, body: string): Promise<void> {
    const fate = this.random.weighted([
      { weight: 8, fate: 'sent' },
      { weight: 1, fate: 'refused' },
      { weight: 1, fate: 'lost' },
    ] as const).fate;
    if (fate !== 'refused') {
      this.#sent += 1;
      this.#open.push({ to, body, at: this.scheduler.instant, logged: this.log().length });
    }
    return new Promise((resolve, reject) => {
      this.scheduler.clockOf(owner).after(this.random.between(1, SLOWEST), () => {
        if (fate === 'sent') resolve();
        else reject(new SmsUnavailableError(fate, fate === 'lost' ? 'unknown' : 'refused'));
      });
    });
  }

  /** Says that writes may be done from now on. */
  beginStep(): void {
    this.#begun = this.scheduler.instant;
  }

  /** Keeps what the model knows now, and holds the texts to it whose event is there. @throws Mismatch */
  verify(): void {
    this.#known.push({ begun: this.#begun, from: this.scheduler.instant, world: copyOf(this.world) });
    this.#open = this.#open.filter((text) => {
      const event = this.#eventOf(text);
      if (event !== undefined) this.#verify(text, event);
      return event === undefined;
    });
  }

  /** Each text has an event, and each event that tells of a text has one. @throws Mismatch */
  verifyEvents(): void {
    const [open] = this.#open;
    if (open !== undefined) throw new Mismatch(`No event tells of this text: ${open.body}`);
    const real = this.world.companies.filter(({ ahead }) => ahead === null);
    const ids = new Set(real.map(({ company_id }) => company_id));
    const sent = this.log().filter(
      ({ type, data }) =>
        type === 'TenantNotified' && data['outcome'] === 'sent' && ids.has(data['company_id'] as string),
    );
    const without = sent.filter(({ data }) => !this.#events.has(data['notice_id'] as string));
    if (without.length > 0) throw new Mismatch(`No text was sent for ${JSON.stringify(without[0]!.data)}`);
  }

  /** A tenant gets one text after the other, so the next event of one who has the phone is the text's. */
  #eventOf({ to, body, at, logged }: Text): Notified | undefined {
    const found = shapeOf(body);
    if (found === undefined) throw new Mismatch(`Nobody knows what this text is: ${body}`);
    const holders = this.#knownWithin(at - JUDGED_BEFORE, at).flatMap(({ world }) => accountsOf(world, to));
    const streams = new Set(holders.map(({ tenant_id }) => `tenant-${tenant_id}`));
    const next = new Map<string, Notified>();
    for (const { stream, type, data } of this.log().slice(logged))
      if (type === 'TenantNotified' && streams.has(stream) && !next.has(stream))
        next.set(stream, data as unknown as Notified);
    return [...next.values()].find(
      ({ notice_id, kind, unit_ids }) =>
        kind === found.kind && !this.#events.has(notice_id) && this.#names(unit_ids, found.units, at),
    );
  }

  /** Whether a text names these units: of many, the first five. */
  #names(unit_ids: readonly string[], units: string, at: number): boolean {
    const known = this.#knownWithin(at - JUDGED_BEFORE, at);
    return unit_ids.slice(0, MOST_NAMES).every((unit_id) => {
      const key = this.#unitNamed(unit_id);
      const names = known.flatMap(({ world }) => (key && world.units.get(key)?.name) ?? []);
      return names.some((name) => units.includes(name));
    });
  }

  /** The key of a unit. */
  #unitNamed(unit_id: string): string | undefined {
    return [...this.world.units].find(([, one]) => one.unit_id === unit_id)?.[0];
  }

  #verify(text: Text, { notice_id, kind, unit_ids, outcome }: Notified): void {
    this.#events.add(notice_id);
    const { to, body, at, logged } = text;
    const { place: name } = shapeOf(body)!;
    const known = this.#knownWithin(at - JUDGED_BEFORE, at);
    const fail = (why: string) => new Mismatch(`A text at ${new Date(at).toISOString()}, ${why}: ${body}`);
    if (outcome === 'failed') throw fail('that is told as refused');
    const places = known.flatMap(({ world }) => world.places().filter((place) => place.name === name));
    if (!places.some(({ notices }) => isOn(notices[kind]))) throw fail('that is switched off');
    if (!places.some((place) => isDay(at, place))) throw fail('at night');
    for (const unit_id of unit_ids) {
      const key = this.#keyOf(this.#unitNamed(unit_id)!, { to, at });
      if (key === undefined) throw fail(`to somebody who does not rent ${unit_id}`);
      const told = { kind, at, logged, ends: this.#endsTold(key, { body, at }) };
      const fault = this.#faultOf(key, told);
      if (fault !== undefined) throw fail(`${key} ${fault}`);
      this.#told.set(key, [...(this.#told.get(key) ?? []), told]);
    }
  }

  /** The unit and its tenant, if that one has the phone. */
  #keyOf(unitName: string, { to, at }: Pick<Text, 'to' | 'at'>): string | undefined {
    for (const { world } of this.#knownWithin(at - JUDGED_BEFORE, at)) {
      const unit = world.units.get(unitName);
      if (unit === undefined || unit.facts.pms_tenant_id === null) continue;
      const isTheirs = ({ company, place, pms_tenant_id }: Account) =>
        company === unit.company && place === unit.place && pms_tenant_id === unit.facts.pms_tenant_id;
      if (accountsOf(world, to).some(isTheirs)) return `${unitName} ${unit.facts.pms_tenant_id}`;
    }
    return undefined;
  }

  #faultOf(key: string, told: Told): string | undefined {
    const { kind, at } = told;
    const wanted: Access = kind === 'closed' ? 'closed' : 'open';
    const was = (instant: number) => this.#accessesWithin(key, instant - JUDGED_BEFORE, instant);
    if (!was(at).has(wanted)) return `is not ${wanted}, but ${[...was(at)].join()}`;
    if (kind !== 'closes_in_days' && SETTLED.some((ago) => !was(at - ago).has(wanted)))
      return `is ${wanted} for less than a quarter of an hour`;
    return this.#standingOf(key, { kind, at }) ?? this.#repetitionOf(key, told);
  }

  /** What stood when the text was switched on is not told, and no closing that is far off. */
  #standingOf(key: string, { kind, at }: Pick<Told, 'kind' | 'at'>): string | undefined {
    const [known] = this.#unitsWithin(key, at - JUDGED_BEFORE, at);
    const { notices, notices_since, policy } = known!.world.placeOf(known!.unit);
    if (kind === 'closes_in_days') {
      const today = localDate(at, policy.timezone);
      const days = notices.closes_in_days ?? 0;
      const isNear = (end: number | null) =>
        end !== null && daysLater(localDate(end, policy.timezone), -days) <= today;
      return [...this.#endsAt(key, at)].some(isNear) ? undefined : 'closes later, or not at all';
    }
    const since = notices_since[kind];
    if (since === null) return undefined;
    if (kind === 'welcome') {
      const all = Object.values(notices_since).filter((instant) => instant !== null);
      const first = this.#loggedAt(Math.min(...all) - JUDGED_BEFORE);
      return this.#movedIn(key, first, Infinity) ? undefined : 'moved in before texts were switched on';
    }
    const ofTenant = this.#accessesWithin(key, since - JUDGED_BEFORE, at);
    const isRentedSince = this.#isRentedSince(key, since - JUDGED_BEFORE, at);
    return ofTenant.size === 1 && isRentedSince ? 'was so before texts were switched on' : undefined;
  }

  #isRentedSince(key: string, from: number, to: number): boolean {
    return this.#knownWithin(from, to).length === this.#unitsWithin(key, from, to).length;
  }

  /** A second text of the same needs another cause: another state between, or another tenancy. */
  #repetitionOf(key: string, { kind, at, logged, ends }: Told): string | undefined {
    const before = (this.#told.get(key) ?? []).filter((told) => told.kind === kind).at(-1);
    if (before === undefined || this.#movedIn(key, before.logged, logged)) return undefined;
    if (kind === 'welcome') return 'was welcomed before';
    if (kind === 'closes_in_days') {
      return [...ends].some((end) => before.ends.has(end)) ? 'was told of this closing before' : undefined;
    }
    const between = this.#accessesWithin(key, before.at, at);
    return between.size === 1 ? `was told to be ${[...between].join()} before` : undefined;
  }

  /** The length of the log at an instant. */
  #loggedAt(instant: number): number {
    const index = this.log().findIndex(
      ({ metadata }) => Date.parse(metadata['occurred_at'] as string) >= instant,
    );
    return index === -1 ? this.log().length : index;
  }

  /** Whether somebody moved in between two lengths of the log. */
  #movedIn(key: string, from: number, to: number): boolean {
    const unit_id = this.world.units.get(key.slice(0, key.lastIndexOf(' ')))?.unit_id;
    const stream = this.log().find(
      ({ type, data }) => type === 'UnitRegistered' && data['unit_id'] === unit_id,
    )?.stream;
    return this.log()
      .slice(from, to)
      .some((event) => event.stream === stream && /MovedIn|Transferred/.test(event.type));
  }

  /** When the unit closes if nothing is written, as far as the model can tell. */
  #endsAt(key: string, at: number): Set<number | null> {
    const known = this.#unitsWithin(key, at - JUDGED_BEFORE, at);
    return new Set(known.map(({ world, unit }) => closingOf(world, unit, at)));
  }

  /** Of the closings that a text may mean, those on a day that it names. */
  #endsTold(key: string, { body, at }: Pick<Text, 'body' | 'at'>): Set<number | null> {
    const [known] = this.#unitsWithin(key, at - JUDGED_BEFORE, at);
    if (known === undefined) return new Set();
    const { timezone: timeZone } = known.world.placeOf(known.unit).policy;
    const format = new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: 'numeric' });
    const isTold = (end: number | null) => end === null || new RegExp(`${format.format(end)}\\b`).test(body);
    return new Set([...this.#endsAt(key, at)].filter(isTold));
  }

  /** Every access that the unit had for the tenant within a span, as far as the model can tell. */
  #accessesWithin(key: string, from: number, to: number): Set<Access> {
    const found = new Set<Access>();
    for (const { world, unit, begin, end } of this.#unitsWithin(key, from, to)) {
      let instant: number | null = begin;
      while (instant !== null && instant <= end) {
        const verdict = judge(inputOf(world, unit), instant);
        found.add(accessOf(verdict));
        instant = verdict.valid_until;
      }
    }
    if (found.size === 0) found.add(null);
    return found;
  }

  /** The unit as it was known in a span, where the tenant rented it. */
  #unitsWithin(key: string, from: number, to: number) {
    const [unitName, tenant] = [key.slice(0, key.lastIndexOf(' ')), key.slice(key.lastIndexOf(' ') + 1)];
    return this.#knownWithin(from, to).flatMap(({ world, begin, end }) => {
      const unit = world.units.get(unitName);
      const isRented = unit !== undefined && unit.facts.pms_tenant_id === tenant;
      return isRented ? [{ world, unit, begin, end }] : [];
    });
  }

  /** What was known within a span. During a step, what was known before it and after it counts. */
  #knownWithin(from: number, to: number) {
    return this.#known.flatMap(({ begun, world }, index) => {
      const begin = Math.max(from, begun);
      const end = Math.min(to, this.#known[index + 1]?.from ?? Infinity);
      return begin > end ? [] : [{ world, begin, end }];
    });
  }
}

function shapeOf(body: string) {
  for (const { kind, shape } of SHAPES) {
    const groups = shape.exec(body)?.groups;
    if (groups !== undefined) return { kind, place: groups['place']!, units: groups['units']! };
  }
  return undefined;
}

function isOn(notice: Notices[Kind]): boolean {
  return notice !== false && notice !== null;
}

function isDay(at: number, { policy: { timezone } }: Place): boolean {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' });
  const time = format.format(at);
  return time >= '08:00' && time < '21:00';
}

/** Who may have the phone. A person that nobody answered for may have it, too. */
function accountsOf({ accounts }: World, phone: string): Account[] {
  return [...accounts.values()].filter((one) => one.phone === phone || one.unsure);
}

function accessOf({ state, reason }: { readonly state: string; readonly reason: string | null }): Access {
  if (state === 'tenant_permitted') return 'open';
  return reason === 'future_move_in' ? 'not_begun' : 'closed';
}

/** A world to look back at. */
function copyOf(world: World): World {
  const copy = new World();
  copy.now = world.now;
  copy.companies.push(
    ...world.companies.map((company) => ({
      ...company,
      places: company.places.map((place) => ({ ...place })),
    })),
  );
  for (const [key, unit] of world.units) copy.units.set(key, copyOfUnit(unit));
  for (const [key, account] of world.accounts) copy.accounts.set(key, { ...account });
  return copy;
}

function copyOfUnit(unit: Unit): Unit {
  return { ...unit, facts: { ...unit.facts } };
}

/** Null: it does not close, or is not open. */
function closingOf(world: World, unit: Unit, at: number): number | null {
  let instant: number | null = at;
  while (instant !== null) {
    const verdict = judge(inputOf(world, unit), instant);
    if (accessOf(verdict) !== 'open') return instant === at ? null : instant;
    instant = verdict.valid_until;
  }
  return null;
}
