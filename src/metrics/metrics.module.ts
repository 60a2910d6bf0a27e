import { type DynamicModule, Global, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { ServiceMetrics } from './service-metrics.js';

/** Metrics and their route. Global modules must provide PROJECTION_LAG and CLOCK. */
@Global()
@Module({ controllers: [MetricsController] })
export class MetricsModule {
  static with(metrics: ServiceMetrics): DynamicModule {
    const provider = { provide: ServiceMetrics, useValue: metrics };
    return { module: MetricsModule, providers: [provider], exports: [ServiceMetrics] };
  }
}
