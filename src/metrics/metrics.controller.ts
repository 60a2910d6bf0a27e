import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Registry } from 'prom-client';
import { within } from '../base/within.js';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { Public } from '../http/authentication.js';
import { PROJECTION_LAG, type ProjectionLag } from '../http/health.js';
import { PublicContent } from '../http/public-content.js';
import { AnswersPages } from '../http/route-options.js';
import { processMetrics } from './process-metrics.js';
import { ServiceMetrics } from './service-metrics.js';

/** Milliseconds. A scrape does not wait longer for the state of the views. */
const TIMEOUT = 2_000;
/** Milliseconds. A rendering takes up to 0.2 s of CPU, and anybody may ask for it. */
const KEPT = 1_000;

/** The metrics of this process, for Prometheus (decisions §6, §9: without a credential). */
@Public()
@AnswersPages()
@Controller('metrics')
export class MetricsController {
  #content: Promise<PublicContent> | undefined;

  constructor(
    private readonly metrics: ServiceMetrics,
    @Inject(PROJECTION_LAG) private readonly projection: ProjectionLag,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.#content ??= this.#render().finally(() => this.clock.after(KEPT, () => (this.#content = undefined)));
    await (await this.#content).send(request, response);
  }

  async #render(): Promise<PublicContent> {
    const unknown = { lag: null, stalled: true };
    const state = within(this.clock, TIMEOUT, this.projection.state());
    const { lag, stalled } = await state.catch(() => unknown);
    this.metrics.projection(lag, stalled);
    const text = await Registry.merge([this.metrics.registry, processMetrics()]).metrics();
    return new PublicContent(Registry.PROMETHEUS_CONTENT_TYPE, text);
  }
}
