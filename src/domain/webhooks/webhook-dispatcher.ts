import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, EVENT_STORE, IDS, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { SecretBox } from '#kernel/secret-box.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { EventFeed } from '#domain/history/index.js';
import { type CourierPorts, WebhookCourier } from './webhook-courier.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookHttp } from './webhook-http.js';
import { WebhookObserver } from './webhook-observer.js';
import { type WebhookRecord, Webhooks } from './webhooks.js';

/** Milliseconds between two looks at the log and at the webhooks. */
const INTERVAL_MS = 1_000;

/**
 * Delivers the messages of all webhooks. Only the leader does. Each webhook has a courier of its own, so a slow receiver
 * delays no other one.
 */
@Injectable()
export class WebhookDispatcher {
  readonly #work: RepeatedWork;
  readonly #ports: CourierPorts;
  /** By webhook, and by the instant since which it is on. */
  readonly #couriers = new Map<string, WebhookCourier>();

  constructor(
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) logger: Logger,
    http: WebhookHttp,
    observer: WebhookObserver,
    box: SecretBox,
    feed: EventFeed,
    private readonly webhooks: Webhooks,
    private readonly deliveries: WebhookDeliveries,
  ) {
    this.#ports = { clock, ids, logger, http, observer, box, feed, webhooks, deliveries };
    const failed = (error: unknown) => logger.warn({ error }, 'Webhooks could not be read; trying again.');
    this.#work = new RepeatedWork({ clock, interval: INTERVAL_MS, failed }, () => this.runRound());
  }

  start(): void {
    this.#work.start();
  }

  /** Resolves when no request is open any more. */
  async stop(): Promise<void> {
    await this.#work.stop();
    await Promise.all([...this.#couriers.values()].map((courier) => courier.stop()));
    this.#couriers.clear();
  }

  /** Begins a round of every webhook that is on. @throws StoreUnavailableError */
  async runRound(): Promise<void> {
    const enabled = await this.webhooks.listEnabled();
    await this.#dismissAllBut(enabled);
    if (enabled.length === 0) return;
    const head = await this.log.head();
    for (const webhook of enabled) this.#courierOf(webhook).startRound({ webhook, head });
  }

  /** Resolves when the couriers have nothing to do. */
  async waitUntilIdle(): Promise<void> {
    await Promise.all([...this.#couriers.values()].map((courier) => courier.waitUntilIdle()));
  }

  /** The creation of the oldest message that waits for a webhook that is on, in milliseconds. @throws StoreUnavailableError */
  async readOldestPending(): Promise<number | undefined> {
    const pending = [...this.#couriers.values()].map(({ webhook_id }) =>
      this.deliveries.readOldestPending(webhook_id),
    );
    const found = (await Promise.all(pending)).filter((instant) => instant !== undefined);
    return found.length === 0 ? undefined : Math.min(...found);
  }

  async #dismissAllBut(enabled: readonly WebhookRecord[]): Promise<void> {
    // A webhook that was switched off and on again needs a new courier.
    const keys = new Set(enabled.map(keyOf));
    const dismissed = [...this.#couriers].filter(([key]) => !keys.has(key));
    for (const [key, courier] of dismissed) {
      this.#couriers.delete(key);
      await courier.stop();
    }
  }

  #courierOf(webhook: WebhookRecord): WebhookCourier {
    const key = keyOf(webhook);
    let courier = this.#couriers.get(key);
    if (courier === undefined) {
      courier = new WebhookCourier(webhook, this.#ports);
      this.#couriers.set(key, courier);
    }
    return courier;
  }
}

function keyOf({ _id, enabled_since }: WebhookRecord): string {
  return `${_id} ${enabled_since}`;
}
