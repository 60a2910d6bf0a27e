import { runInNewContext } from 'node:vm';
import { describedService } from '../contracts/described-service.js';
import { postmanCollection } from '../contracts/postman-collection.js';
import { sentCode } from '../client/support/sent-code.js';
import type { Parsed } from '../support/http-client.js';
import { ManualClock } from '../support/manual-clock.js';
import { Service } from '../support/service.js';

const PASSWORD = 'of the collection, our own';

/** Sends requests of the collection as Postman does: from its variables, and with its scripts run on the answers. */
class Player {
  private constructor(
    private readonly collection: Parsed,
    readonly variables: Map<string, string>,
  ) {}

  static async of(given: Readonly<Record<string, string>>): Promise<Player> {
    const collection: Parsed = JSON.parse(await postmanCollection((await describedService()).document));
    const preset = (collection.variable as Parsed[]).map(({ key, value }): [string, string] => [key, value]);
    return new Player(collection, new Map([...preset, ...Object.entries(given)]));
  }

  /** @param name `FOLDER: REQUEST` */
  async send(name: string): Promise<{ status: number; body: Parsed }> {
    const [folder, title] = name.split(': ');
    const item = (this.collection.item as Parsed[])
      .find((one) => one.name === folder)!
      .item.find((one: Parsed) => one.name === title);
    const { method, auth, header, url, body } = item.request;
    const headers: Record<string, string> = Object.fromEntries(
      header.map((one: Parsed) => [one.key, this.#filled(one.value)]),
    );
    if (auth.type === 'bearer') headers['Authorization'] = `Bearer ${this.#filled(auth.bearer[0].value)}`;
    const path = url.path.map((part: string) => this.#segment(part, url.variable)).join('/');
    const response = await fetch(`${this.#filled(url.host[0])}/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: this.#filled(body.raw) }),
    });
    const answer: Parsed = await response.json();
    for (const { script } of [...this.collection.event, ...(item.event ?? [])])
      this.#run(script, response, answer);
    return { status: response.status, body: answer };
  }

  #segment(part: string, parameters: Parsed[]): string {
    if (!part.startsWith(':')) return part;
    return encodeURIComponent(this.#filled(parameters.find(({ key }) => `:${key}` === part)!.value));
  }

  #filled(text: string): string {
    return text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) =>
      name === '$guid' ? crypto.randomUUID() : this.variables.get(name)!,
    );
  }

  #run(script: Parsed, { status: code, headers }: Response, answer: Parsed): void {
    const { variables } = this;
    const pm = { response: { code, headers, json: () => answer }, collectionVariables: variables };
    runInNewContext(script.exec.join('\n'), { pm, Object });
  }
}

it('leads from the first sign-in to an opened door and its history, each request as it stands', async () => {
  const service = await Service.start({
    // The examples are of a lease that has begun.
    clock: new ManualClock(Date.UTC(2026, 5, 6)),
    environment: { OPERATOR_EMAIL: 'operator@localhost', OPERATOR_PASSWORD: PASSWORD },
  });
  try {
    const baseUrl = `http://127.0.0.1:${service.port}`;
    const player = await Player.of({ baseUrl, operatorPassword: PASSWORD });
    const statuses: Record<string, number> = {};
    const play = async (...names: string[]) => {
      let last: Parsed;
      for (const name of names) {
        const { status, body } = await player.send(name);
        statuses[name] = status;
        last = body;
      }
      return last;
    };
    await play('Operator: Sign in', 'Operator: Register a company', 'Operator: Issue an API token');
    await play('Operator: Add a location');
    const { data: synced } = await play('PMS: Bring up to 500 units up to date');
    expect(synced.errors).toEqual([]);
    await play(
      'PMS: Read a unit with its decision',
      'Operator: Add a zone',
      'Operator: Put a unit into a zone',
    );
    await play('Operator: Add an entry point', 'Operator: Add a lock', 'Operator: Put a lock on a unit');
    await play('Tenant: Have a code sent by SMS');
    player.variables.set('otp', await sentCode(service));
    await play('Tenant: Sign in with the code');
    const { data: access } = await play('Tenant: Read what the tenant may open, with the keys');
    expect(access.units[0].locks[0]).toMatchObject({ name: 'A-101 door', key: expect.any(String) });
    expect(access.entry_points[0]).toMatchObject({ name: 'North gate', state: 'permitted' });
    await play('Tenant: Report what happened at a lock', 'Tenant: Report what happened at an entry point');
    await play('Tenant: Report what happened at an entry point that the body names');
    const { data: activity } = await play('PMS: Read the reports of the locks of a unit, newest first');
    expect(activity.entries).toHaveLength(1);
    await play('PMS: Read the history of a unit');
    expect(Object.entries(statuses).filter(([, status]) => status > 299)).toEqual([]);
  } finally {
    await service.close();
  }
});
