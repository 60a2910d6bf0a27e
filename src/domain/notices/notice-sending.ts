import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SmsUnavailableError, TextDelivery, WriteTenants } from '#domain/tenants/index.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { NoticeObserver } from './notice-observer.js';
import type { NoticeOutcome } from './notice-outcome.js';
import { expiryOf, NoticeRecords } from './notice-records.js';
import { type NoticeTenant, NoticeTenants, type SendingNotice } from './notice-tenants.js';

/**
 * Sends the text that a tenant's record holds, and records what became of it. The record was stored first. So after a crash
 * the text is known, its outcome is not, and it is not sent again.
 */
@Injectable()
export class NoticeSending {
  constructor(
    private readonly tenants: NoticeTenants,
    private readonly notices: NoticeRecords,
    private readonly texts: TextDelivery,
    private readonly commands: CommandBus,
    private readonly observer: NoticeObserver,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never throws. @param phone as the tenant's account has it */
  async sendText(phone: string, body: string): Promise<NoticeOutcome> {
    try {
      await this.texts.deliver(phone, body);
      return 'sent';
    } catch (error) {
      // The error holds neither the phone nor the text.
      this.logger.warn({ error }, 'A text to a tenant could not be sent.');
      return error instanceof SmsUnavailableError && error.outcome === 'refused' ? 'failed' : 'unknown';
    }
  }

  /**
   * Records the outcome of the text that a tenant's record holds: an event, and a line on the pages. Each step may be repeated.
   * @param outcome used if none was stored before
   * @throws StoreUnavailableError
   */
  async finish(tenant: NoticeTenant, sending: SendingNotice, outcome: NoticeOutcome): Promise<void> {
    const { notice_id } = sending;
    const stored = await this.tenants.changeTenant(tenant._id, ({ sending: current }) =>
      current?.notice_id === notice_id && current.outcome === null
        ? { sending: { ...current, outcome } }
        : undefined,
    );
    // Another process has finished it.
    if (stored?.sending?.notice_id !== notice_id) return;
    const finished = { ...stored.sending, outcome: stored.sending.outcome! };
    await this.#appendEvent(tenant, finished);
    await this.#storeRecord(tenant, finished);
    await this.#clear(tenant, finished);
  }

  async #appendEvent(
    { _id: tenant_id, company_id, location_id }: NoticeTenant,
    { notice_id, kind, units, outcome }: SendingNotice & { readonly outcome: NoticeOutcome },
  ): Promise<void> {
    if (outcome === 'no_phone') return;
    const unit_ids = units.map(({ unit_id }) => unit_id);
    const command = {
      type: 'RecordNotice',
      company_id,
      location_id,
      notice_id,
      kind,
      unit_ids,
      outcome,
    } as const;
    const context = {
      command_id: notice_id,
      request_id: notice_id,
      actor: { kind: 'system', id: 'notices' },
      // An earlier attempt may have appended it.
      recovering: true,
    } as const;
    await this.commands.execute(new WriteTenants(company_id, [{ tenant_id, command }], context));
  }

  async #storeRecord(
    { _id: tenant_id, company_id, location_id }: NoticeTenant,
    { notice_id, kind, units, at, outcome, body }: SendingNotice & { readonly outcome: NoticeOutcome },
  ): Promise<void> {
    await this.notices.insertNotice({
      _id: notice_id,
      version: 1,
      company_id,
      location_id,
      tenant_id,
      unit_ids: units.map(({ unit_id }) => unit_id),
      kind,
      at,
      outcome,
      trouble_at: outcome === 'sent' ? null : location_id,
      body,
      expires_at: expiryOf(this.clock.now()),
    });
  }

  async #clear(
    { _id: tenant_id }: NoticeTenant,
    { notice_id, outcome, body }: SendingNotice & { readonly outcome: NoticeOutcome },
  ): Promise<void> {
    let isCleared = false;
    let isErased = false;
    await this.tenants.changeTenant(tenant_id, ({ sending }) => {
      isCleared = sending?.notice_id === notice_id;
      isErased = isCleared && sending!.body === null && body !== null;
      return isCleared ? { sending: null, look_at: 0 } : undefined;
    });
    // An erasure that came between has not seen the record.
    if (isErased) await this.notices.eraseTexts(tenant_id);
    if (isCleared) this.observer.countNotice(outcome);
  }
}
