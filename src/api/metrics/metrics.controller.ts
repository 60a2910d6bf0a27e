import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Registry } from 'prom-client';
import { within } from '#kernel/within.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { Public } from '#web/authentication.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { ProjectionLag } from '#web/health.js';
import { WebhookDispatcher } from '#domain/webhooks/index.js';
import { PublicContent } from '#web/public-content.js';
import type { Reply } from '#web/reply.js';
import { AnswersPages } from '#web/route-options.js';
import { processMetrics } from './process-metrics.js';
import { ServiceMetrics } from './service-metrics.js';

/** A scrape does not wait longer for the state of the views, or of the webhooks. */
const STATE_TIMEOUT_MS = 2_000;
/** A rendering takes up to 0.2 s of CPU, and anybody may ask for it. */
const KEEP_RENDERING_MS = 1_000;

/** The metrics of this process, for Prometheus (decisions §6, §9: without a credential). */
@Public()
@AnswersPages()
@Controller('metrics')
export class MetricsController {
  #content: Promise<PublicContent> | undefined;

  constructor(
    private readonly metrics: ServiceMetrics,
    private readonly projection: ProjectionLag,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly damaged: DamagedStreams,
    private readonly webhooks: WebhookDispatcher,
  ) {}

  @Get()
  async read(@Req() request: Request): Promise<Reply> {
    this.#content ??= this.#render().finally(() =>
      this.clock.after(KEEP_RENDERING_MS, () => (this.#content = undefined)),
    );
    return (await this.#content).replyTo(request);
  }

  async #render(): Promise<PublicContent> {
    const unknown = { lag: null, age_ms: null, stalled: true };
    const state = within(this.clock, STATE_TIMEOUT_MS, this.projection.state());
    this.metrics.projection(await state.catch(() => unknown));
    this.metrics.damagedStreams(this.damaged.listDamages().length);
    this.metrics.oldestPendingMessage(await this.#ageOfOldestMessage());
    const text = await Registry.merge([this.metrics.registry, processMetrics()]).metrics();
    return new PublicContent(Registry.PROMETHEUS_CONTENT_TYPE, text);
  }

  /** In seconds. NaN if it is not known. */
  async #ageOfOldestMessage(): Promise<number> {
    const read = within(this.clock, STATE_TIMEOUT_MS, this.webhooks.readOldestPending());
    return read.then(
      (created_at) => (created_at === undefined ? 0 : (this.clock.now() - created_at) / 1_000),
      () => NaN,
    );
  }
}
