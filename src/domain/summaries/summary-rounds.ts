import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CompanyDirectory, type CompanyDocument } from '#domain/companies/index.js';
import { LocationDirectory, type LocationDocument, usualTimezone } from '#domain/locations/index.js';
import { type OperatorRecord, Operators, principalOf } from '#domain/operators/index.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { CALENDAR, CLOCK, ENVIRONMENT, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { type OperatorPrincipal, seesSite } from '#kernel/principals.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { morningStep, nextMorning } from './core/morning.js';
import { type SummaryText, summaryText } from './core/summary-text.js';
import { type MailFailure, MailError, MailSender } from './mail/mail-sender.js';
import { SummaryFigures } from './summary-figures.js';
import { SummaryLinks } from './summary-links.js';
import { SummaryObserver } from './summary-observer.js';
import { type SummarySubscription, SummarySubscriptions } from './summary-subscriptions.js';

const INTERVAL_MS = 10_000;
/** Subscriptions that are read at once. */
const PART = 100;
/** Milliseconds until all mails, or a single one, are tried again. */
const RETRY_AFTER_MS: Readonly<Record<'unreachable' | 'deferred' | 'error', number>> = {
  unreachable: 60_000,
  deferred: 10 * 60_000,
  error: 10 * 60_000,
};

/** An operator who gets mails about a company, with the sites that both have. */
interface Reader {
  readonly operator: OperatorRecord;
  readonly principal: OperatorPrincipal;
  readonly company: CompanyDocument;
  readonly locations: readonly LocationDocument[];
  readonly timezone: string;
}

/**
 * Mails operators the figures of the day, each morning once. Only the leader does. The intent is stored before a mail is sent:
 * a mail whose outcome is not known is not sent again (decisions §11).
 */
@Injectable()
export class SummaryRounds {
  readonly #work: RepeatedWork;
  /** While the mail server cannot be used, nothing is tried. */
  #pausedUntil = 0;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'smtp' | 'public_url'>,
    private readonly subscriptions: SummarySubscriptions,
    private readonly operators: Operators,
    private readonly companies: CompanyDirectory,
    private readonly locations: LocationDirectory,
    private readonly figures: SummaryFigures,
    private readonly links: SummaryLinks,
    private readonly mails: MailSender,
    private readonly observer: SummaryObserver,
  ) {
    const failed = (error: unknown) =>
      logger.warn({ error }, 'Morning summaries could not be read; trying again.');
    this.#work = new RepeatedWork({ clock, interval: INTERVAL_MS, failed }, () => this.runRound());
  }

  start(): void {
    if (this.environment.smtp !== undefined) this.#work.start();
  }

  /** Resolves when no mail is being sent any more. */
  stop(): Promise<void> {
    return this.#work.stop();
  }

  /** Mails all that is due now, one after the other. @throws StoreUnavailableError */
  async runRound(): Promise<void> {
    while (!this.#isPaused()) {
      const due = await this.subscriptions.listDue(this.clock.now(), PART);
      for (const subscription of due) if (!this.#isPaused()) await this.#serveSafely(subscription);
      if (due.length < PART) return;
    }
  }

  #isPaused(): boolean {
    return this.#work.isOver || this.clock.now() < this.#pausedUntil;
  }

  /** One mail that cannot be made does not keep the others waiting. */
  async #serveSafely(subscription: SummarySubscription): Promise<void> {
    try {
      await this.#serve(subscription);
    } catch (error) {
      if (error instanceof StoreUnavailableError || this.#work.isOver) throw error;
      const { operator_id, company_id } = subscription;
      this.logger.warn(
        { error, operator_id, company_id },
        'A morning summary could not be made; trying again.',
      );
      await this.#lookLater(subscription, RETRY_AFTER_MS.error);
    }
  }

  async #serve(subscription: SummarySubscription): Promise<void> {
    const operator = await this.operators.byId(subscription.operator_id);
    if (operator === undefined) return this.subscriptions.removeSubscription(subscription._id);
    const now = this.clock.now();
    const reader = await this.#readerOf(operator, subscription);
    const timezone = reader?.timezone ?? usualTimezone([]);
    const { since, last } = subscription;
    const step = morningStep({ since, last_date: last?.date ?? null, timezone, now }, this.calendar);
    if (step.kind === 'wait')
      await this.subscriptions.replaceSubscription(subscription, { look_at: step.until });
    else if (reader === undefined) await this.#skip(subscription, step.date, timezone);
    else await this.#mail(subscription, reader, step.date);
  }

  /** Undefined: the operator may not sign in now, or sees no site of the company. */
  async #readerOf(
    operator: OperatorRecord,
    { company_id }: SummarySubscription,
  ): Promise<Reader | undefined> {
    if (operator.disabled) return undefined;
    const company = await this.companies.company(company_id);
    if (company === undefined) return undefined;
    const principal = principalOf(operator);
    const all = await this.locations.locationsOfCompany(company_id);
    const locations = all.filter(({ _id: location_id }) => seesSite(principal, { company_id, location_id }));
    if (locations.length === 0) return undefined;
    const timezone = usualTimezone(locations.map(({ policy }) => policy.timezone));
    return { operator, principal, company, locations, timezone };
  }

  async #skip(subscription: SummarySubscription, date: CalendarDate, timezone: string): Promise<void> {
    const look_at = nextMorning(date, timezone, this.calendar);
    await this.subscriptions.replaceSubscription(subscription, { look_at });
  }

  async #mail(subscription: SummarySubscription, reader: Reader, date: CalendarDate): Promise<void> {
    const written = await this.#write(subscription, reader, date);
    // The figures took their time: the operator may have lost rights meanwhile.
    const { operator, timezone } = reader;
    const current = await this.operators.byId(operator._id);
    if (current?.version !== operator.version) return;
    const look_at = nextMorning(date, timezone, this.calendar);
    const last = { date, outcome: 'unknown' } as const;
    // Stored before the mail is sent: whatever ends this process, nobody sends it again.
    const begun = await this.subscriptions.replaceSubscription(subscription, { look_at, last });
    if (begun === undefined) return;
    const outcome = await this.#send(subscription, operator, date, written);
    this.observer.countSummary(outcome);
    await this.#finish(begun, subscription, outcome);
  }

  async #write(
    { _id }: SummarySubscription,
    { principal, company, locations, timezone }: Reader,
    date: CalendarDate,
  ): Promise<SummaryText> {
    const figures = await this.figures.readFigures(company, principal, this.#work);
    const origin = this.environment.public_url!;
    return summaryText({
      company_name: company.name,
      site_names: principal.sites === null ? [] : locations.map(({ name }) => name),
      at: this.clock.now(),
      timezone,
      date,
      yesterday: this.calendar.addDays(date, -1),
      figures,
      today_url: `${origin}/dashboard?company_id=${company._id}`,
      stop_url: this.#stopUrl(_id),
    });
  }

  #stopUrl(subscription_id: string): string {
    return `${this.environment.public_url!}/dashboard/summary/stop/${this.links.tokenOf(subscription_id)}`;
  }

  async #send(
    { _id, operator_id, company_id }: SummarySubscription,
    { email }: OperatorRecord,
    date: CalendarDate,
    written: SummaryText,
  ): Promise<'sent' | MailFailure> {
    try {
      const { hostname } = new URL(this.environment.public_url!);
      const message_id = `summary.${_id}.${date}@${hostname}`;
      await this.mails.sendMail({ to: email, ...written, message_id, stop_url: this.#stopUrl(_id) });
      return 'sent';
    } catch (error) {
      // The error holds neither the address nor the password.
      this.logger.warn({ error, operator_id, company_id }, 'A morning summary could not be sent.');
      return error instanceof MailError ? error.failure : 'unknown';
    }
  }

  /** A mail that was not sent for sure is due again. */
  async #finish(
    begun: SummarySubscription,
    before: SummarySubscription,
    outcome: 'sent' | MailFailure,
  ): Promise<void> {
    if (outcome === 'unreachable' || outcome === 'deferred') {
      const retry_at = this.clock.now() + RETRY_AFTER_MS[outcome];
      if (outcome === 'unreachable') this.#pausedUntil = retry_at;
      await this.subscriptions.replaceSubscription(begun, { last: before.last, look_at: retry_at });
    } else {
      const { date } = begun.last!;
      await this.subscriptions.replaceSubscription(begun, { last: { date, outcome } });
    }
  }

  async #lookLater(subscription: SummarySubscription, milliseconds: number): Promise<void> {
    await this.subscriptions.replaceSubscription(subscription, { look_at: this.clock.now() + milliseconds });
  }
}
