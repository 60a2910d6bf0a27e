import { Inject, Injectable } from '@nestjs/common';
import { isTestNumber, TextDelivery } from '#domain/tenants/index.js';
import { ApiError } from '#kernel/errors/api-error.js';
import { LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { InvitationTextLimits } from './invitation-text-limits.js';
import { ShareRecords, type ShareTextKind } from './share-records.js';

/**
 * Sends the texts about a share, each once. Its record says first that it is sent. So after a crash its outcome is not known,
 * and it is not sent again.
 */
@Injectable()
export class ShareTexts {
  constructor(
    private readonly records: ShareRecords,
    private readonly limits: InvitationTextLimits,
    private readonly texts: TextDelivery,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Counts a text before it is sent. @throws ApiError 429. @throws StoreUnavailableError */
  async takeFromBudget(phone: string, company_id: string): Promise<void> {
    if (!isTestNumber(phone)) await this.limits.take([company_id]);
  }

  /** @returns whether it was sent, now or before. @throws StoreUnavailableError */
  async sendOnce(share_id: string, kind: ShareTextKind, to: string, body: string): Promise<boolean> {
    const isFirst = await this.records.beginText(share_id, kind);
    if (!isFirst) return (await this.records.readShare(share_id))?.[kind] === 'sent';
    const isSent = await this.#deliver(to, body);
    await this.records.finishText(share_id, kind, isSent ? 'sent' : 'failed');
    return isSent;
  }

  /** Tells the tenant that a share was accepted. If the budget is used up, nobody is told. @throws StoreUnavailableError */
  async sendAcceptedOnce(
    share_id: string,
    { to, body, company_id }: { readonly to: string; readonly body: string; readonly company_id: string },
  ): Promise<void> {
    try {
      await this.takeFromBudget(to, company_id);
    } catch (refusal) {
      if (refusal instanceof ApiError) return;
      throw refusal;
    }
    await this.sendOnce(share_id, 'told', to, body);
  }

  async #deliver(to: string, body: string): Promise<boolean> {
    try {
      await this.texts.deliver(to, body);
      return true;
    } catch (error) {
      // The error holds neither the phone nor the text.
      this.logger.warn({ error }, 'A text about a share could not be sent.');
      return false;
    }
  }
}
