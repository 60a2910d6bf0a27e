import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Registry } from 'prom-client';
import { within } from '../base/within.js';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { Public } from '../http/authentication.js';
import { PROJECTION_LAG, type ProjectionLag } from '../http/health.js';
import { AnswersPages } from '../http/route-options.js';
import { processMetrics } from './process-metrics.js';
import { ServiceMetrics } from './service-metrics.js';

/** Milliseconds. A scrape does not wait longer for the state of the views. */
const TIMEOUT = 2_000;

/** The metrics of this process, for Prometheus (decisions §6, §9: without a credential). */
@Public()
@AnswersPages()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: ServiceMetrics,
    @Inject(PROJECTION_LAG) private readonly projection: ProjectionLag,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  async read(): Promise<string> {
    const unknown = { lag: null, stalled: true };
    const state = within(this.clock, TIMEOUT, this.projection.state());
    const { lag, stalled } = await state.catch(() => unknown);
    this.metrics.projection(lag, stalled);
    return Registry.merge([this.metrics.registry, processMetrics()]).metrics();
  }
}
