/**
 * Loaded into the measured process before it (`node -r`): once a second, tells on standard error how late its event
 * loop was and what memory it holds, as lines that begin with `LOOP `. The service itself has no such route.
 */
const { readFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

/** What of the resident memory are pages of mapped files, the data files above all: the system's to take back. */
function mappedBytes() {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync('/proc/self/status', 'utf8');
  return ['RssFile', 'RssShmem'].reduce((sum, name) => {
    return sum + 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  }, 0);
}

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
    own: rss - mappedBytes(),
    heap: heapUsed,
  };
  delay.reset();
  process.stderr.write(`LOOP ${JSON.stringify(sample)}\n`);
}, 1_000).unref();
