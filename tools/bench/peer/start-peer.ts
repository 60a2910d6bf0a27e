import { join } from 'node:path';
import { type ChildServer, startChildServer } from '../child-server.js';
import type { Contestant } from '../contestant.js';
import { PEER } from '../report.js';
import { EQUIPPED, entityTag, makeEquippedUnits, prepareUnits, PREPARED_UNITS } from '../service-setup.js';
import { startPostgres } from './postgres-cluster.js';

const API_TOKEN = 'api'.repeat(16);
const TENANT_TOKEN = 'tenant'.repeat(8);

/**
 * Starts the peer: a Nest application on PostgreSQL that does the same work, as a good team would build it. Its processor time
 * is that of its process and of PostgreSQL.
 * @throws NoPostgresError
 */
export async function startPeer(): Promise<Contestant & { readonly database: string }> {
  const cluster = await startPostgres();
  let peer: ChildServer | undefined;
  const stop = async () => {
    await peer?.stop();
    await cluster.stop();
  };
  try {
    const server = await startChildServer({
      script: join(__dirname, 'peer-process.ts'),
      nodeArguments: process.execArgv,
      environment: environmentOf(cluster.folder),
    });
    peer = server;
    const { port } = server;
    const bare = {
      port,
      api_token: API_TOKEN,
      tenant_token: TENANT_TOKEN,
      entity_tag: '',
      units: PREPARED_UNITS,
    };
    await prepareUnits(bare);
    await makeEquippedUnits(bare);
    const target = { ...bare, entity_tag: await entityTag(port, TENANT_TOKEN) };
    const processorSeconds = () => sum(server.processorSeconds(), cluster.processorSeconds());
    return { label: PEER, database: cluster.version, server: { processorSeconds }, target, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environmentOf(socketFolder: string): Record<string, string> {
  return {
    PEER_SOCKET: socketFolder,
    PEER_API_TOKEN: API_TOKEN,
    PEER_TENANT_TOKEN: TENANT_TOKEN,
    PEER_TENANT: EQUIPPED.pms_tenant_id,
    PEER_LOCKED_UNITS: EQUIPPED.crm_unit_ids.join(','),
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
