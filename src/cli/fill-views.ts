import { openViewsBuilder } from '../app.module.js';
import type { Ports } from '../adapters.js';
import type { NextStore } from '../documents/replacement.js';
import { ViewsBuilding } from '../projecting/rebuild/index.js';
import { type Output, progressOn } from './output.js';

/**
 * Fills the empty views of the ports from the log, where nobody writes meanwhile.
 * @param announce called when they hold nearly all, before they are held to the log's end
 * @param fence that of the lease under which it is done, if any
 * @returns how many events they hold
 * @throws StoreUnavailableError
 */
export async function fillViews(
  ports: Ports,
  output: Output,
  announce: () => Promise<void>,
  fence?: number,
): Promise<number> {
  const { eventStore: store, views, clock, logger } = ports;
  const progress = progressOn(output, 'applied');
  const builder = await openViewsBuilder(ports);
  const building = new ViewsBuilding(builder, { store, views, clock, logger }, progress, fence);
  try {
    await building.fill();
    await announce();
    return await building.finish();
  } finally {
    await building.stop();
  }
}

/** What fails leaves the former views in service. */
export async function fillAndReplace(next: NextStore, fill: () => Promise<number>): Promise<number> {
  try {
    const events = await fill();
    const removeFormer = await next.takeOver();
    await removeFormer();
    return events;
  } catch (error) {
    await next.discard();
    throw error;
  }
}
