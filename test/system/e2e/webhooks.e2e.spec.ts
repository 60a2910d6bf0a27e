import { verifyWebhook } from 'storage-access-client';
import { CompanyInProcess } from '../../domain/webhooks/support/company-in-process.js';
import { answering, type ReceivedMessage, Receiver } from '../../domain/webhooks/support/receiver.js';
import { ServiceProcess } from '../../support/service-process.js';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

const TYPES = ['TenantMovedIn'];

let folder: TemporaryFolder;
let receiver: Receiver;
let service: ServiceProcess;
let company: CompanyInProcess;

beforeEach(async () => {
  folder = await temporaryFolder();
  receiver = await Receiver.start();
  service = await start();
  company = await CompanyInProcess.create(service);
});
afterEach(async () => {
  await service.kill();
  await receiver.close();
  await folder.remove();
});

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start(folder.path, { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
}

/** Kills the process, and starts another one on the same stores. */
async function killAndStart(): Promise<void> {
  await service.kill();
  service = await start();
  await company.moveTo(service);
}

const idOf = ({ headers }: ReceivedMessage) => headers['webhook-id'] as string;
const unitOf = ({ body }: ReceivedMessage) => body.data.subject.crm_unit_id as string;

test('a change of access is sent, with the decision before and after', async () => {
  await company.addWebhook(receiver.url, ['AccessChanged']);
  await company.moveIn('A-1');
  await waitUntil(() => receiver.received.length > 0);
  expect(receiver.received[0]!.body).toMatchObject({
    type: 'AccessChanged',
    data: {
      position: expect.stringMatching(/^\d+$/),
      subject: { kind: 'unit', crm_unit_id: 'A-1' },
      data: { from: null, to: { state: 'tenant_permitted', reason: 'active' } },
    },
  });
});

describe('a service that is killed', () => {
  test('sends a delivery that was under way again, with the same id and content', async () => {
    receiver.reply = () => undefined;
    const { webhook_id, secret } = await company.addWebhook(receiver.url, TYPES);
    await company.moveIn('A-1');
    await waitUntil(() => receiver.received.length === 1);
    receiver.reply = answering(204);
    await killAndStart();
    await waitUntil(() => receiver.received.length === 2);
    const [first, second] = receiver.received as [ReceivedMessage, ReceivedMessage];
    expect([idOf(second), second.text]).toEqual([idOf(first), first.text]);
    expect(await verifyWebhook(second.headers, second.text, secret)).toEqual(first.body);
    const readDelivery = async () =>
      (await company.operate(200, 'get', `/${webhook_id}/deliveries`)).deliveries[0];
    const delivery = await waitUntil(readDelivery, ({ state }) => state === 'delivered');
    // The process did not live to keep the try that it died in.
    expect(delivery.attempts).toMatchObject([{ status: 204 }]);
  });

  test('loses no message, and sends no id with two contents, however often it is killed', async () => {
    await company.addWebhook(receiver.url, TYPES);
    const units: string[] = [];
    for (let kill = 0; kill < 3; kill += 1) {
      for (let count = 0; count < 5; count += 1) {
        const unit = `A-${units.length}`;
        units.push(unit);
        await company.moveIn(unit);
      }
      await waitUntil(() => new Set(receiver.received.map(unitOf)).size > units.length - 5);
      await killAndStart();
    }
    await waitUntil(() => new Set(receiver.received.map(unitOf)).size === units.length);
    const contents = new Map<string, Set<string>>();
    for (const message of receiver.received) {
      const id = idOf(message);
      contents.set(id, (contents.get(id) ?? new Set()).add(message.text));
    }
    expect([...contents.values()].filter(({ size }) => size > 1)).toEqual([]);
    expect(contents.size).toBe(units.length);
  });
});
