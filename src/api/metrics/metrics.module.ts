import { type DynamicModule, Global, Module } from '@nestjs/common';
import { WebhooksModule } from '#domain/webhooks/index.js';
import { MetricsController } from './metrics.controller.js';
import { ServiceMetrics } from './service-metrics.js';

/** Metrics and their route. Global modules must provide ProjectionLag and CLOCK, and the needs of WebhooksModule. */
@Global()
@Module({ imports: [WebhooksModule], controllers: [MetricsController] })
export class MetricsModule {
  static with(metrics: ServiceMetrics): DynamicModule {
    const provider = { provide: ServiceMetrics, useValue: metrics };
    return { module: MetricsModule, providers: [provider], exports: [ServiceMetrics] };
  }
}
