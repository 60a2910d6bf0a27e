import { once } from 'node:events';
import { AppServer } from './app-server.js';
import { audit } from './acts/audit.js';
import { fitLocks } from './acts/fit-locks.js';
import { keepHours } from './acts/keep-hours.js';
import { makeItGood } from './acts/make-it-good.js';
import { missAPayment } from './acts/miss-a-payment.js';
import { openFacility } from './acts/open-facility.js';
import { openTheDoor } from './acts/open-the-door.js';
import { syncUnits } from './acts/sync-units.js';
import { dateIn } from './calendar.js';
import { expectEqual } from './expect.js';
import { keptLines } from './kept.js';
import { Narrator } from './narrator.js';
import { readOptions, USAGE, UsageError } from './options.js';
import { type RunningService, startService } from './service-process.js';
import { type Facility, Stage, TIMEZONE } from './stage.js';

/** Plays a day of a facility through the HTTP API. */
async function play(service: RunningService, narrator: Narrator): Promise<Facility> {
  const stage = new Stage(service, narrator, dateIn(TIMEZONE, new Date()));
  const facility = await openFacility(stage);
  await syncUnits(stage, facility);
  const tenant = await openTheDoor(stage, facility, await fitLocks(stage, facility));
  await missAPayment(stage, facility, tenant);
  await makeItGood(stage, facility, tenant);
  await keepHours(stage, facility, tenant);
  await audit(stage, facility, tenant);
  return facility;
}

const ENDINGS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves on Ctrl-C. */
async function untilEnded(): Promise<void> {
  // Without a timer the process would end at once.
  const held = setInterval(() => undefined, 60_000);
  await Promise.race(ENDINGS.map((signal) => once(process, signal)));
  clearInterval(held);
}

async function main(): Promise<void> {
  const { keep, help } = readOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(`${USAGE}\n`);
  const began = performance.now();
  const narrator = new Narrator((text) => void process.stdout.write(text), process.stdout.isTTY);
  await narrator.says(
    'A day in the life of a self-storage facility.',
    'Every line with > is a real request.',
  );
  // At exit, the process and the folder of the service are removed.
  const interrupted = () => process.exit(1);
  for (const signal of ENDINGS) process.once(signal, interrupted);
  const app = keep ? await AppServer.listen() : undefined;
  const service = await startService(app?.origin);
  try {
    const facility = await play(service, narrator);
    if (app !== undefined) {
      await app.serve(service.url);
      await narrator.says(...keptLines(service, facility, app.origin));
      for (const signal of ENDINGS) process.removeListener(signal, interrupted);
      await untilEnded();
      app.close();
    }
  } catch (error) {
    app?.close();
    await service.stop();
    for (const line of service.complaints()) process.stderr.write(`${line}\n`);
    throw error;
  }
  expectEqual("the service's exit status after SIGTERM", await service.stop(), 0);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  await narrator.says(`The service ended with status 0. Everything was as expected, in ${seconds} s.`);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  process.stderr.write(
    `\nThe demonstration failed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
