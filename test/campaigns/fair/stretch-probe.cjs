/**
 * Loaded into the service before its program. At each SIGUSR2 it writes how long the process has worked at most between two
 * turns of the event loop since the last signal, in milliseconds. Time without a processor does not count, so a busy machine
 * is no fault. Collecting garbage counts.
 */
const { readFileSync } = require('node:fs');

const LOOK_EVERY_MS = 5;

let longest = 0;
let lookedAt = performance.now();
let usedBefore = processorMilliseconds();

/** Of the thread of the event loop, because other threads work at the same time; of all where the system does not show it. */
function processorMilliseconds() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1_000_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

setInterval(() => {
  const now = performance.now();
  const used = processorMilliseconds();
  longest = Math.max(longest, Math.min(now - lookedAt - LOOK_EVERY_MS, used - usedBefore));
  lookedAt = now;
  usedBefore = used;
}, LOOK_EVERY_MS).unref();

process.on('SIGUSR2', () => {
  process.stderr.write(`longest stretch: ${longest}\n`);
  longest = 0;
});
