import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import type { Logger } from '#kernel/logger.js';
import type { SecretBox } from '#kernel/secret-box.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import type { EventFeed } from '#domain/history/index.js';
import { type Attempt, giveUpDelivery, recordAttempt } from './core/delivery.js';
import { type DisabledReason, judgeHealth } from './core/disabling.js';
import type { DeliveryRecord, WebhookDeliveries } from './webhook-deliveries.js';
import type { WebhookHttp } from './webhook-http.js';
import { makeEventMessage } from './webhook-messages.js';
import type { WebhookObserver, WebhookOutcome } from './webhook-observer.js';
import { openSecrets, signMessage } from './webhook-secrets.js';
import type { WebhookRecord, Webhooks } from './webhooks.js';

/** Open requests of one webhook (decisions §11). */
const MOST_OPEN = 4;
/** Messages of one webhook that wait (decisions §11). Then its cursor waits, too. */
export const MOST_WAITING = 10_000;
const FEED_PAGE = 500;
const DUE_PAGE = 100;

export interface CourierPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly box: SecretBox;
  readonly feed: EventFeed;
  readonly webhooks: Webhooks;
  readonly deliveries: WebhookDeliveries;
  readonly http: WebhookHttp;
  readonly observer: WebhookObserver;
}

/** What a round needs to know. `head` is the last position of the log; undefined if it is empty. */
export interface CourierRound {
  readonly webhook: WebhookRecord;
  readonly head: bigint | undefined;
}

/**
 * Delivers the messages of one webhook. It makes messages from the feed, and sends those that are due. A message is stored
 * before the cursor moves past it, and its id follows from the event. So none is lost or made twice, also after a crash.
 */
export class WebhookCourier {
  #webhook: WebhookRecord;
  #round: Promise<void> | undefined;
  /** Messages that wait. Undefined until they were counted. */
  #waiting: number | undefined;
  readonly #due: DeliveryRecord[] = [];
  /** By delivery. */
  readonly #open = new Map<string, Promise<void>>();
  readonly #ended = new AbortController();

  constructor(
    webhook: WebhookRecord,
    private readonly ports: CourierPorts,
  ) {
    this.#webhook = webhook;
  }

  get webhook_id(): string {
    return this.#webhook._id;
  }

  /** Begins a round, unless one is running. Never throws. */
  startRound({ webhook, head }: CourierRound): void {
    if (this.#round !== undefined || this.#isEnded) return;
    this.#webhook = webhook;
    this.#round = this.#runRound(head)
      .catch((error: unknown) => this.#warn(error))
      .finally(() => (this.#round = undefined));
  }

  /** Ends the open requests. Resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await this.waitUntilIdle();
  }

  /** Resolves when the round and its requests have ended. */
  async waitUntilIdle(): Promise<void> {
    while (this.#round !== undefined || this.#open.size > 0) {
      await this.#round;
      await Promise.all(this.#open.values());
    }
  }

  async #runRound(head: bigint | undefined): Promise<void> {
    if (openSecrets(this.#webhook, this.ports.box, this.ports.clock.now()) === undefined) {
      await this.#disable('secret_unreadable');
      return;
    }
    this.#waiting ??= await this.ports.deliveries.countPending(this.#webhook._id);
    await this.#readFeed(head);
    await this.#sendDue();
  }

  /** Makes messages until the log's end, or until too many wait. */
  async #readFeed(head: bigint | undefined): Promise<void> {
    let cursor = this.#webhook.cursor === null ? undefined : BigInt(this.#webhook.cursor);
    while (!this.#isEnded && head !== undefined && (cursor === undefined || cursor < head)) {
      const room = MOST_WAITING - this.#waiting!;
      if (room <= 0) return;
      const next = await this.#makeMessages(cursor, Math.min(room, FEED_PAGE));
      if (next === undefined || next === cursor) return;
      cursor = next;
    }
  }

  /** @returns the position after the page; undefined if the webhook has changed or was switched off */
  async #makeMessages(after: bigint | undefined, limit: number): Promise<bigint | undefined> {
    const { _id, company_id, types, cursor } = this.#webhook;
    const range = { after, limit, types: types === null ? undefined : new Set(types) };
    const page = await this.#readPage(company_id, range);
    if (page === undefined || page.next_after === null) return undefined;
    const now = this.ports.clock.now();
    const messages = page.entries.map((found) => makeEventMessage(this.#webhook, found, now));
    this.#waiting! += await this.ports.deliveries.insertDeliveries(messages);
    const next_cursor = page.next_after;
    // A webhook that was switched off and on meanwhile begins at a position of its own.
    const moved = await this.ports.webhooks.changeWebhook(_id, (webhook) =>
      webhook.cursor === cursor && webhook.enabled_since !== null ? { cursor: next_cursor } : undefined,
    );
    if (moved?.cursor !== next_cursor) return undefined;
    this.#webhook = moved;
    return BigInt(next_cursor);
  }

  async #readPage(company_id: string, range: Parameters<EventFeed['readEntries']>[1]) {
    try {
      return await this.ports.feed.readEntries(company_id, range);
    } catch (error) {
      if (!(error instanceof PositionLostError)) throw error;
      await this.#disable('restored');
      return undefined;
    }
  }

  async #sendDue(): Promise<void> {
    if (this.#due.length === 0) await this.#findDue();
    while (this.#due.length > 0 && this.#open.size < MOST_OPEN && !this.#isEnded) {
      const delivery = this.#due.shift()!;
      const sent = this.#send(delivery)
        .catch((error: unknown) => this.#warn(error))
        .finally(() => {
          this.#open.delete(delivery._id);
          this.#continue();
        });
      this.#open.set(delivery._id, sent);
    }
  }

  /** Sends the next messages without waiting for the next round. */
  #continue(): void {
    if (this.#isEnded) return;
    this.#round ??= this.#sendDue()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => (this.#round = undefined));
  }

  async #findDue(): Promise<void> {
    const { deliveries, clock } = this.ports;
    // A message whose try ends during this read would be found once more.
    const open = new Set(this.#open.keys());
    const found = await deliveries.listDue(this.#webhook._id, clock.now(), DUE_PAGE);
    this.#due.push(...found.filter(({ _id }) => !open.has(_id)));
  }

  async #send(delivery: DeliveryRecord): Promise<void> {
    const { clock, deliveries, ids } = this.ports;
    if (this.#isFromBeforeSwitchingOn(delivery)) {
      const given = await deliveries.changeDelivery(delivery._id, (before) =>
        giveUpDelivery(before, clock.now()),
      );
      this.#noteEnd(given);
      return;
    }
    const attempt = await this.#try(delivery);
    // The end of this process ended the request. The next leader tries again.
    if (this.#isEnded) return;
    const jitter = Number(ids.code(6)) / 1_000_000;
    const after = await deliveries.changeDelivery(delivery._id, (before) =>
      recordAttempt(before, attempt, { now: clock.now(), jitter }),
    );
    this.#noteEnd(after);
    this.ports.observer.countTry(outcomeOf(after));
    await this.#noteHealth(attempt);
  }

  /** Such a message was not sent while the webhook was off, and is not sent later (decisions §11). */
  #isFromBeforeSwitchingOn({ waits_since }: DeliveryRecord): boolean {
    const { enabled_since } = this.#webhook;
    return enabled_since !== null && waits_since < enabled_since;
  }

  #noteEnd(delivery: DeliveryRecord | undefined): void {
    if (delivery !== undefined && delivery.state !== 'pending')
      this.#waiting = Math.max(0, this.#waiting! - 1);
  }

  async #try({ message_id, body }: DeliveryRecord): Promise<Attempt> {
    const { box, clock, http } = this.ports;
    const at = clock.now();
    const secrets = openSecrets(this.#webhook, box, at) ?? [];
    const headers = {
      'webhook-id': message_id,
      'webhook-timestamp': String(Math.floor(at / 1_000)),
      'webhook-signature': signMessage(secrets, { message_id, sent_at: at, body }),
    };
    const { url } = this.#webhook;
    const outcome = await http.sendMessage({ url, headers, body, signal: this.#ended.signal });
    return { at, ...outcome };
  }

  async #noteHealth(attempt: Attempt): Promise<void> {
    const { clock, webhooks } = this.ports;
    const now = clock.now();
    const change = judgeHealth(this.#webhook, attempt, now);
    if (change.kind === 'unchanged') return;
    if (change.kind === 'disabled') {
      await this.#disable(change.reason);
      return;
    }
    const changed = await webhooks.changeWebhook(this.#webhook._id, (current) => {
      const wanted = judgeHealth(current, attempt, now);
      return wanted.kind === 'failing_since' ? { failing_since: wanted.failing_since } : undefined;
    });
    // Not the whole record: a round may have moved the cursor since it was read.
    if (changed !== undefined) this.#webhook = { ...this.#webhook, failing_since: changed.failing_since };
  }

  /** Switches the webhook off and ends this courier for ever. If an operator switches it on again, it gets a new one. */
  async #disable(disabled_reason: DisabledReason): Promise<void> {
    if (this.#isEnded) return;
    const { _id: webhook_id } = this.#webhook;
    this.#ended.abort();
    this.#due.length = 0;
    await this.ports.webhooks.changeWebhook(webhook_id, ({ enabled_since }) =>
      enabled_since === null ? undefined : { enabled_since: null, disabled_reason },
    );
    this.ports.logger.warn({ webhook_id, reason: disabled_reason }, 'A webhook was switched off.');
  }

  get #isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  #warn(error: unknown): void {
    const { _id: webhook_id } = this.#webhook;
    this.ports.logger.warn({ error, webhook_id }, 'A webhook could not be served; trying again.');
  }
}

function outcomeOf(delivery: DeliveryRecord | undefined): WebhookOutcome {
  if (delivery === undefined || delivery.state === 'failed') return 'failed';
  return delivery.state === 'delivered' ? 'delivered' : 'retried';
}
