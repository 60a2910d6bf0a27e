import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '#kernel/clock.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, EVENT_STORE, IDS } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { readFrom } from '#eventsourcing/writing/stored-stream.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import {
  COMPANY,
  CompanyClocks,
  type CompanyEvent,
  type CompanyOutcome,
  type CompanyRefusal,
  companyStream,
  type WebhookField,
  WriteCompany,
} from '#domain/companies/index.js';
import { restartDelivery } from './core/delivery.js';
import { type DeliveryRecord, WebhookDeliveries } from './webhook-deliveries.js';
import { makeTestMessage } from './webhook-messages.js';
import { makeSecret } from './webhook-secrets.js';
import { type WebhookRecord, Webhooks } from './webhooks.js';

/** Milliseconds for which messages also carry the signature of the secret before (decisions §11). */
const BOTH_SECRETS_MS = 24 * 60 * 60 * 1_000;

/** The settings of a webhook in a request. */
export interface StatedWebhook {
  readonly url: string;
  /** Null: all. */
  readonly types: readonly string[] | null;
  readonly description: string | null;
}

export type WebhookChanges = Partial<StatedWebhook> & { readonly enabled?: boolean };

/** A webhook with its secret, which is shown once. */
export interface IssuedWebhook {
  readonly kind: 'issued';
  readonly webhook: WebhookRecord;
  /** Null for a repeat whose secret was replaced since. */
  readonly secret: string | null;
}

export interface RefusedWebhook {
  readonly kind: 'rejected';
  readonly refusal: CompanyRefusal;
}

const NOT_FOUND: RefusedWebhook = { kind: 'rejected', refusal: { code: 'webhook_not_found' } };

/**
 * Adds, changes and removes webhooks, and sends messages again. Each event is stored before the record.
 * Every method throws StoreUnavailableError and WriteContendedError.
 */
@Injectable()
export class WebhookAdministration {
  constructor(
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly clocks: CompanyClocks,
    private readonly commands: CommandBus,
    private readonly webhooks: Webhooks,
    private readonly deliveries: WebhookDeliveries,
    private readonly box: SecretBox,
  ) {}

  /**
   * Adds a webhook. It gets the events from now on. A repeat of the command answers the same secret, until it is replaced;
   * the webhook is not found once it was removed.
   */
  async addWebhook(
    company_id: string,
    stated: StatedWebhook,
    context: WriteContext,
  ): Promise<IssuedWebhook | RefusedWebhook> {
    const _id = context.command_id;
    const secret = makeSecret(this.ids);
    const command = { type: 'AddWebhook', webhook_id: _id } as const;
    const outcome = await this.commands.execute(new WriteCompany(company_id, command, context));
    if (outcome.kind === 'rejected') return outcome;
    if ((await this.#typesSince(outcome, company_id, _id)).has('WebhookRemoved')) return NOT_FOUND;
    const now = this.clock.now();
    const webhook: WebhookRecord = {
      _id,
      version: 1,
      company_id,
      ...stated,
      enabled_since: now,
      disabled_reason: null,
      failing_since: null,
      created_at: now,
      sealed_secret: this.box.seal(secret, _id),
      former_secret: null,
      secret_made_by: _id,
      cursor: await this.#readLogEnd(),
    };
    await this.webhooks.insertWebhook(webhook);
    return this.#issue(await this.webhooks.readWebhook(_id), context);
  }

  /** Switching on begins at the end of the feed, and forgets why the webhook was off. */
  async changeWebhook(
    before: WebhookRecord,
    { enabled, ...settings }: WebhookChanges,
    context: WriteContext,
  ): Promise<WebhookRecord | RefusedWebhook | undefined> {
    const { _id: webhook_id, company_id } = before;
    const fields = differingFields(before, { enabled, ...settings });
    const command = { type: 'ChangeWebhook', webhook_id, fields } as const;
    const outcome = await this.commands.execute(new WriteCompany(company_id, command, context));
    if (outcome.kind === 'rejected') return outcome;
    const cursor = await this.#readLogEnd();
    const now = this.clock.now();
    return this.webhooks.changeWebhook(webhook_id, (webhook) => {
      if (enabled === true && webhook.enabled_since === null)
        return { ...settings, enabled_since: now, disabled_reason: null, failing_since: null, cursor };
      if (enabled === false) return { ...settings, enabled_since: null };
      return settings;
    });
  }

  /** The webhook gets a new secret. For 24 hours messages carry the signatures of both. */
  async rotateSecret(
    { _id: webhook_id, company_id }: WebhookRecord,
    context: WriteContext,
  ): Promise<IssuedWebhook | RefusedWebhook> {
    const sealed_secret = this.box.seal(makeSecret(this.ids), webhook_id);
    const command = { type: 'RotateWebhookSecret', webhook_id } as const;
    const outcome = await this.commands.execute(new WriteCompany(company_id, command, context));
    if (outcome.kind === 'rejected') return outcome;
    // A repeat may come after a later rotation.
    const later = await this.#typesSince(outcome, company_id, webhook_id);
    const isNewest = !later.has('WebhookSecretRotated');
    const until = this.clock.now() + BOTH_SECRETS_MS;
    const changed = await this.webhooks.changeWebhook(webhook_id, (webhook) =>
      !isNewest || webhook.secret_made_by === context.command_id
        ? undefined
        : {
            sealed_secret,
            former_secret: { sealed: webhook.sealed_secret, until },
            secret_made_by: context.command_id,
          },
    );
    return this.#issue(changed, context);
  }

  async removeWebhook(
    { _id: webhook_id, company_id }: WebhookRecord,
    context: WriteContext,
  ): Promise<RefusedWebhook | undefined> {
    const command = { type: 'RemoveWebhook', webhook_id } as const;
    const outcome = await this.commands.execute(new WriteCompany(company_id, command, context));
    await this.webhooks.removeWebhook(webhook_id);
    return outcome.kind === 'rejected' ? outcome : undefined;
  }

  /** Sends a message that stands for no event. */
  async sendTest(webhook: WebhookRecord, { command_id }: WriteContext): Promise<DeliveryRecord> {
    const timestamp = toTimestamp(await this.clocks.now(webhook.company_id));
    const test = { test_id: command_id, timestamp, now: this.clock.now() };
    const delivery = makeTestMessage(webhook, test);
    await this.deliveries.insertDeliveries([delivery]);
    return delivery;
  }

  /** @returns undefined if the delivery has expired */
  sendAgain({ _id }: DeliveryRecord): Promise<DeliveryRecord | undefined> {
    const now = this.clock.now();
    return this.deliveries.changeDelivery(_id, (delivery) => restartDelivery(delivery, now));
  }

  async #readLogEnd(): Promise<string | null> {
    const head = await this.log.head();
    return head === undefined ? null : String(head);
  }

  /** The types of the events of a webhook after those of a command: a repeat of the command may come late. */
  async #typesSince(
    { after }: Pick<Extract<CompanyOutcome<unknown>, { kind: 'done' }>, 'after'>,
    company_id: string,
    webhook_id: string,
  ): Promise<ReadonlySet<CompanyEvent['type']>> {
    const stream = companyStream(company_id);
    const later = await readFrom<CompanyEvent>(this.log, COMPANY, stream, after!.revision + 1);
    return new Set(
      later.flatMap(({ type, data }) => ('webhook_id' in data && data.webhook_id === webhook_id ? type : [])),
    );
  }

  #issue(webhook: WebhookRecord | undefined, { command_id }: WriteContext): IssuedWebhook | RefusedWebhook {
    if (webhook === undefined) return NOT_FOUND;
    if (webhook.secret_made_by !== command_id) return { kind: 'issued', webhook, secret: null };
    const secret = this.box.open(webhook.sealed_secret, webhook._id);
    if (secret === undefined)
      throw new StoreUnavailableError('The secret was sealed with another key.', true);
    return { kind: 'issued', webhook, secret };
  }
}

function differingFields(before: WebhookRecord, wanted: WebhookChanges): WebhookField[] {
  const { url = before.url, description = before.description, types = before.types } = wanted;
  const { enabled = before.enabled_since !== null } = wanted;
  return [
    ...(url === before.url ? [] : (['url'] as const)),
    ...(JSON.stringify(types) === JSON.stringify(before.types) ? [] : (['types'] as const)),
    ...(description === before.description ? [] : (['description'] as const)),
    ...(enabled === (before.enabled_since !== null) ? [] : (['enabled'] as const)),
  ];
}
