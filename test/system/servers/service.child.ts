import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApplication } from '#app/application.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { drainOnSignals } from '#web/server-lifecycle.js';
import { openPorts } from '#app/adapters.js';
import { withMembers } from '../../support/with-members.js';

/**
 * One process of the service, as `main.ts` starts it, for tests: `service.child.ts <environment as JSON> <lease ms>`.
 * Tells `listening on port N`, and what it does with the lease and the checkpoint of the views.
 */
async function main([variables, lease]: readonly string[]): Promise<void> {
  const environment = readEnvironment(JSON.parse(variables!) as Record<string, string>);
  const ports = await openPorts(environment);
  const started = await createApplication({
    ...ports,
    views: told(ports.views),
    lease_milliseconds: Number(lease),
  });
  drainOnSignals(started.application);
  await started.application.listen(environment.port, environment.host);
  const { port } = (started.application.getHttpServer() as Server).address() as AddressInfo;
  process.stdout.write(`listening on port ${port}\n`);
}

function told(views: DocumentStore): DocumentStore {
  const takeLease: DocumentStore['takeLease'] = async (name, owner, milliseconds) => {
    const lease = await views.takeLease(name, owner, milliseconds);
    if (lease !== undefined) process.stdout.write(`leads ${lease.fence}\n`);
    return lease;
  };
  const write: DocumentStore['write'] = async (writes) => {
    const outcomes = await views.write(writes);
    const checkpoint = writes[0];
    if (checkpoint?.kind === 'compare_and_set' && checkpoint.collection === 'checkpoints') {
      const { fence, version } = checkpoint.document as unknown as { fence: number; version: number };
      process.stdout.write(`checkpoint ${fence} ${version} ${outcomes[0]!.kind}\n`);
    }
    return outcomes;
  };
  return withMembers(views, { takeLease, write });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
