export { measuredLog, measuredRecords, ServiceMetrics } from './service-metrics.js';
export { MetricsModule } from './metrics.module.js';
