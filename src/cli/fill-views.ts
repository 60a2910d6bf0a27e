import { openViewsBuilder } from '../app.module.js';
import type { Ports } from '../adapters.js';
import { ViewsBuilding } from '../projecting/rebuild/index.js';
import { type Output, progressOn } from './output.js';

/**
 * Fills the empty views of the ports from the log, where nobody writes meanwhile.
 * @param fence that of the lease under which it is done, if any
 * @returns how many events they hold
 * @throws StoreUnavailableError
 */
export async function fillViews(ports: Ports, output: Output, fence?: number): Promise<number> {
  const { eventStore: store, views, clock, logger } = ports;
  const progress = progressOn(output, 'applied');
  const builder = await openViewsBuilder(ports);
  const building = new ViewsBuilding(builder, { store, views, clock, logger }, progress, fence);
  try {
    await building.fill();
    return await building.finish();
  } finally {
    await building.stop();
  }
}
