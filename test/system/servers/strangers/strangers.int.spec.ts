import { describeWithMongo } from '../../../support/mongo-server.js';
import { demand } from '../../../support/service.js';
import { rented, SharedLog } from './shared-log.js';

describeWithMongo('on a log that other applications write to, everything works', () => {
  let log: SharedLog;

  beforeEach(async () => {
    log = await SharedLog.open();
  });
  afterEach(() => log.close());

  test('after a start behind what they left', async () => {
    await log.stranger.leaveEverything();
    await log.start();
    await log.demandEverythingWorks();
    expect(await log.service.stop()).toBe(0);
  });

  test('while they write', async () => {
    await log.start();
    let isOver = false;
    const leaving = log.stranger.leaveEverything().finally(() => (isOver = true));
    for (let number = 0; !isOver; number += 1) {
      demand(201, await log.moveIn(`W-${number}`));
      expect(await log.bulk([rented(`X-${number}`)])).toMatchObject({ created: 1, errors: [] });
    }
    await leaving;
    await log.demandEverythingWorks();
    expect(await log.service.stop()).toBe(0);
  });

  test('after a kill -9 and a start behind what they left meanwhile', async () => {
    await log.start();
    demand(201, await log.moveIn('U-before'));
    await log.service.kill();
    await log.stranger.leaveEverything();
    await log.start();
    await log.demandEverythingWorks();
    expect(await log.service.stop()).toBe(0);
  });
});
