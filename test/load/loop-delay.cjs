/**
 * Loaded into the measured process before it (`node -r`): once a second, tells on standard error how late its event
 * loop was and what memory it holds, as lines that begin with `LOOP `. The service itself has no such route.
 */
const { monitorEventLoopDelay } = require('node:perf_hooks');

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const milliseconds = (nanoseconds) => Math.round(nanoseconds / 1e4) / 100;
setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  const sample = {
    // The monitor counts its own resolution as delay.
    p50: Math.max(0, milliseconds(delay.percentile(50)) - 10),
    p99: Math.max(0, milliseconds(delay.percentile(99)) - 10),
    max: Math.max(0, milliseconds(delay.max) - 10),
    rss,
    heap: heapUsed,
  };
  delay.reset();
  process.stderr.write(`LOOP ${JSON.stringify(sample)}\n`);
}, 1_000).unref();
