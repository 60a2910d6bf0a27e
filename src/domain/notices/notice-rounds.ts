import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import type { Clock } from '#kernel/clock.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { Ids } from '#kernel/ids.js';
import { CALENDAR, CLOCK, IDS, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { type DueNotice, judgeTenant, type Judgement } from './core/due-notice.js';
import { isAnyOn } from './core/known-unit.js';
import { noticeText } from './core/notice-text.js';
import { NoticeBudget } from './notice-budget.js';
import { NoticeObserver } from './notice-observer.js';
import { NoticeSending } from './notice-sending.js';
import { type NoticeTenant, NoticeTenants, type SendingNotice } from './notice-tenants.js';
import { NoticesSwitch } from './notices-switch.js';
import { type TenantStandings, TenantStandingsReader } from './tenant-standings.js';

/** Milliseconds between two looks at the tenants that are due. */
const INTERVAL_MS = 1_000;
/** Tenants that are read at once. */
const PART = 100;
/** Texts that are sent at the same time. */
const AT_ONCE = 4;
/** Milliseconds until a tenant is tried again after an unexpected error. */
const RETRY_AFTER_MS = 60_000;

/** To whom a text goes. `nobody`: the tenant was erased. */
type Receiver =
  | { readonly kind: 'phone'; readonly phone: string }
  | { readonly kind: 'no_phone' }
  | { readonly kind: 'nobody' };

/** Tells tenants what is due (decisions §11). Only the leader does. */
@Injectable()
export class NoticeRounds {
  readonly #work: RepeatedWork;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clocks: CompanyClocks,
    private readonly tenants: NoticeTenants,
    private readonly standings: TenantStandingsReader,
    private readonly accounts: TenantAccounts,
    private readonly budget: NoticeBudget,
    private readonly sending: NoticeSending,
    private readonly notices: NoticesSwitch,
    private readonly observer: NoticeObserver,
  ) {
    const failed = (error: unknown) =>
      logger.warn({ error }, 'Texts to tenants could not be read; trying again.');
    this.#work = new RepeatedWork({ clock, interval: INTERVAL_MS, failed }, () => this.runRound());
  }

  start(): void {
    this.#work.start();
  }

  /** Resolves when no text is being sent any more. */
  stop(): Promise<void> {
    return this.#work.stop();
  }

  /** Tells all that is due now. @throws StoreUnavailableError */
  async runRound(): Promise<void> {
    await this.notices.switchOffRestored();
    await this.#serveDue(() => this.clock.now());
    for (const [company_id, clock] of await this.clocks.sandboxClocks())
      await this.#serveDue(() => clock.now(), company_id);
  }

  async #serveDue(now: () => number, company_id?: string): Promise<void> {
    while (!this.#work.isOver) {
      const due = await this.tenants.listDue(now(), PART, company_id);
      for (let from = 0; from < due.length && !this.#work.isOver; from += AT_ONCE)
        await Promise.all(due.slice(from, from + AT_ONCE).map((tenant) => this.#serveSafely(tenant)));
      if (due.length < PART) return;
    }
  }

  /** One tenant that cannot be told does not keep the others waiting. */
  async #serveSafely(tenant: NoticeTenant): Promise<void> {
    try {
      await this.#serve(tenant._id);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      this.logger.warn({ error, tenant_id: tenant._id }, 'A tenant could not be told; trying again.');
      const look_at = (await this.clocks.now(tenant.company_id)) + RETRY_AFTER_MS;
      await this.tenants.changeTenant(tenant._id, () => ({ look_at }));
    }
  }

  /** Tells a tenant all that is due, one text after the other. */
  async #serve(tenant_id: string): Promise<void> {
    while (!this.#work.isOver) {
      const tenant = await this.tenants.readTenant(tenant_id);
      if (tenant === undefined) return;
      if (tenant.sending !== null) {
        // It was begun by a process that has ended, or lost its stores.
        await this.sending.finish(tenant, tenant.sending, 'unknown');
        continue;
      }
      const current = await this.standings.readStandings(tenant);
      if (current === undefined) throw new Error('The views do not show the location of the tenant.');
      const judged = this.#judge(current);
      const isDone =
        judged.notice === null
          ? await this.#save(tenant, current, judged)
          : await this.#tell(tenant, current, judged, judged.notice);
      if (isDone) return;
    }
  }

  #judge({ standings, site, now }: TenantStandings): Judgement {
    const judged = judgeTenant(standings, { site, now, calendar: this.calendar });
    return isAnyOn(site) ? judged : { ...judged, look_at: null };
  }

  /** @returns false if the tenant is to be judged again */
  async #save(
    tenant: NoticeTenant,
    current: TenantStandings,
    { known, look_at }: Judgement,
  ): Promise<boolean> {
    const units = [...known, ...current.unsettled];
    if (units.length === 0) return this.tenants.removeTenant(tenant);
    const { since } = current.site;
    const next = { ...tenant, units, look_at, since };
    return isDeepStrictEqual(next, { ...tenant }) || this.tenants.replaceTenant(tenant, next);
  }

  /** @returns false if the tenant is to be judged again */
  async #tell(
    tenant: NoticeTenant,
    current: TenantStandings,
    judged: Judgement,
    notice: DueNotice,
  ): Promise<boolean> {
    const receiver = await this.#receiverOf(tenant);
    if (receiver.kind === 'nobody') return this.#save(tenant, current, { ...judged, notice: null });
    if (receiver.kind === 'phone' && !current.clock.isSandbox) {
      const budget = await this.budget.take(tenant.company_id);
      if (budget.kind === 'full') {
        this.observer.countNotice('delayed');
        return this.tenants.replaceTenant(tenant, { look_at: current.now + budget.wait });
      }
    }
    const sending: SendingNotice = {
      ...notice,
      notice_id: this.ids.ulid(),
      at: current.now,
      body: receiver.kind === 'phone' ? textOf(notice, current) : null,
      outcome: receiver.kind === 'phone' ? null : 'no_phone',
    };
    const units = [...judged.known, ...current.unsettled];
    // Stored before the text is sent: whatever ends this process, nobody sends it again.
    const intent = { units, since: current.site.since, look_at: 0, sending };
    if (!(await this.tenants.replaceTenant(tenant, intent))) return false;
    const outcome =
      receiver.kind === 'phone' ? await this.sending.sendText(receiver.phone, sending.body!) : 'no_phone';
    await this.sending.finish(tenant, sending, outcome);
    return false;
  }

  async #receiverOf({ _id: tenant_id }: NoticeTenant): Promise<Receiver> {
    const [account] = await this.accounts.byTenantId([tenant_id]);
    if (account === undefined || account.erased_at !== null) return { kind: 'nobody' };
    const { phone } = account;
    if (phone === null) return { kind: 'no_phone' };
    // A sandbox's texts reach no real phone.
    const [allowed] = await this.accounts.allowedFor(phone, [account]);
    return allowed === undefined ? { kind: 'no_phone' } : { kind: 'phone', phone };
  }
}

function textOf({ kind, units }: DueNotice, { location, site, rented }: TenantStandings): string {
  const facts = new Map(rented.map((unit) => [unit.unit_id, unit]));
  const { name, contact, currency } = location;
  return noticeText({
    kind,
    units: units.flatMap(({ unit_id, closes_at }) => {
      const unit = facts.get(unit_id);
      return unit === undefined ? [] : [{ ...unit, closes_at }];
    }),
    site: { name, timezone: site.timezone, currency, contact },
    owed: rented.reduce((sum, { balance_due }) => sum + Math.max(0, balance_due), 0),
  });
}
