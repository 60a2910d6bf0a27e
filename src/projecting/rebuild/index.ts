export {
  REBUILD_REQUEST,
  type RebuildMessage,
  type RebuildRequest,
  socketAddress,
} from './rebuild-protocol.js';
export { RebuildRequests } from './rebuild-requests.js';
export { RebuildOrders } from './rebuild-orders.js';
export { SharedViews } from './shared-views.js';
export { type ViewsBuilder, ViewsBuilding } from './views-building.js';
export { REBUILD_PORTS, type RebuildPorts, ViewsRebuild } from './views-rebuild.js';
