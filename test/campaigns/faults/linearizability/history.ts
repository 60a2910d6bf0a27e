import { setUpCompany } from '../../../support/service-process.js';
import { type KillOptions, ServiceUnderKills } from '../service-under-kills.js';
import { RegisterClients, type RegisterOperation } from './register-clients.js';

/**
 * Clients that write and read the balances of a few units while the service is killed under them. A write is sent again
 * with its key until it is answered; a read that is cut off has had no effect and is left out.
 */
export async function recordHistory(options: KillOptions): Promise<readonly RegisterOperation[]> {
  const service = await ServiceUnderKills.start(options);
  try {
    const setup = await setUpCompany(await service.running);
    const clients = new RegisterClients(service, setup, options.seed);
    await clients.makeUnits();
    await service.during(
      clients.run(),
      () => clients.operations.length,
      () => undefined,
    );
    return clients.operations;
  } finally {
    await service.close();
  }
}
