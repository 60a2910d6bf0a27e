/**
 * Loaded into the service before its program. At each SIGUSR2 it writes how long the process has worked at most between two
 * turns of the event loop since the last signal, in milliseconds. Time without a processor does not count, so a busy machine
 * is no fault. Collecting garbage counts.
 */
const LOOK_EVERY_MS = 5;

let longest = 0;
let lookedAt = performance.now();
let usedBefore = processorMilliseconds();

function processorMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

setInterval(() => {
  const now = performance.now();
  const used = processorMilliseconds();
  // Other threads of the process work at the same time.
  longest = Math.max(longest, Math.min(now - lookedAt - LOOK_EVERY_MS, used - usedBefore));
  lookedAt = now;
  usedBefore = used;
}, LOOK_EVERY_MS).unref();

process.on('SIGUSR2', () => {
  process.stderr.write(`longest stretch: ${longest}\n`);
  longest = 0;
});
