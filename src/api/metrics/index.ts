export { ServiceMetrics } from './service-metrics.js';
export { measuredLog, measuredRecords } from './measured-stores.js';
export { MetricsModule } from './metrics.module.js';
