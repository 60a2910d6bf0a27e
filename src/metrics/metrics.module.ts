import { type DynamicModule, Global, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { ServiceMetrics } from './service-metrics.js';

/** The counts of the service, and their route. Needs PROJECTION_LAG and CLOCK from global modules. */
@Global()
@Module({ controllers: [MetricsController] })
export class MetricsModule {
  static with(metrics: ServiceMetrics): DynamicModule {
    const provider = { provide: ServiceMetrics, useValue: metrics };
    return { module: MetricsModule, providers: [provider], exports: [ServiceMetrics] };
  }
}
