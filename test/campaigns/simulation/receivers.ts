import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { WebhookHttp } from '#domain/webhooks/index.js';
import { type Body, type Client, Mismatch } from './operations/operation.js';
import type { World } from './model/world.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

const DAY = 24 * 60 * 60_000;
/** Milliseconds that a receiver takes. */
const SLOWEST = 3_000;

type Reply = Awaited<ReturnType<WebhookHttp['sendMessage']>>;

const RECEIVED: Reply = { status: 200, answer: '' };

/**
 * Systems that receive the announcements of each company by webhook. Some tries are refused, of some the answer is lost. They
 * keep what came last of each unit.
 */
export class Receivers {
  /** The messages by `webhook-id`. */
  readonly #bodies = new Map<string, string>();
  /** By receiver: the positions that came. */
  readonly #positions = new Map<string, Set<string>>();
  /** By unit: the newest state. */
  readonly #newest = new Map<string, { readonly position: bigint; readonly to: Body }>();
  /** By receiver: since when no try succeeded. The service gives up after five days. */
  readonly #failingSince = new Map<string, number>();
  /** From now on every try succeeds. */
  isSound = false;
  fault: string | undefined;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
  ) {}

  /** The messages that came, each once. */
  get messages(): number {
    return this.#bodies.size;
  }

  /** The network as a process sees it. */
  httpOf(owner: string): WebhookHttp {
    return {
      sendMessage: ({ url, headers, body }) =>
        new Promise((resolve) => {
          const milliseconds = this.random.between(1, SLOWEST);
          this.scheduler.clockOf(owner).after(milliseconds, () => resolve(this.#take(url, headers, body)));
        }),
      isRefused: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    };
  }

  /** Adds a webhook to each company. */
  async subscribe(world: World, client: Client): Promise<void> {
    for (const { company_id } of world.companies) {
      const path = `/api/operator/companies/${company_id}/webhooks`;
      const body = { url: `https://receiver.example/${company_id}`, types: ['AccessChanged'] };
      const { status } = await client.definite({ method: 'POST', path, token: world.operatorToken, body });
      if (status !== 201) throw new Mismatch(`${path} was answered ${status}`);
    }
  }

  /** Holds what came to the log: nothing is missing, and the newest state is the last one. @throws Mismatch */
  verify(world: World, log: readonly RecordedEvent[]): void {
    if (this.fault !== undefined) throw new Mismatch(this.fault);
    const announced = log.filter(({ type }) => type === 'AccessChanged');
    for (const { company_id } of world.companies) {
      const own = announced.filter(({ data }) => data['company_id'] === company_id);
      const came = this.#positions.get(`https://receiver.example/${company_id}`) ?? new Set();
      const missing = own.filter(({ position }) => !came.has(String(position)));
      if (missing.length > 0)
        throw new Mismatch(`${missing.length} announcements never came, such as ${missing[0]!.position}`);
      if (came.size !== own.length) throw new Mismatch(`${came.size} came, ${own.length} were announced`);
    }
    const last = new Map(announced.map(({ data }) => [data['unit_id'] as string, data['to']]));
    for (const [unit_id, to] of last) {
      const shown = this.#newest.get(unit_id)?.to as unknown;
      if (JSON.stringify(shown) !== JSON.stringify(to))
        throw new Mismatch(`${unit_id} came as ${JSON.stringify(shown)}, was ${JSON.stringify(to)}`);
    }
  }

  #take(url: string, headers: Readonly<Record<string, string>>, body: string): Reply {
    const { instant } = this.scheduler;
    const failing = this.#failingSince.get(url);
    const mayFail = !this.isSound && (failing === undefined || instant - failing < DAY);
    const fails = mayFail && this.random.chance(0.2);
    if (fails) this.#failingSince.set(url, failing ?? instant);
    else this.#failingSince.delete(url);
    if (fails && this.random.chance(0.5)) return { status: 503, answer: 'Later.' };
    this.#keep(url, headers['webhook-id']!, body);
    return fails ? { status: null, answer: 'The answer was lost.' } : RECEIVED;
  }

  #keep(url: string, id: string, body: string): void {
    const before = this.#bodies.get(id);
    if (before !== undefined && before !== body)
      this.fault = `${id} came with ${before}, and again with ${body}`;
    this.#bodies.set(id, body);
    const { data } = JSON.parse(body);
    const { position, subject } = data as { position: string; subject: Body };
    const positions = this.#positions.get(url) ?? new Set();
    this.#positions.set(url, positions.add(position));
    const unit_id = subject['unit_id'] as string;
    const newest = this.#newest.get(unit_id);
    if (newest === undefined || newest.position < BigInt(position))
      this.#newest.set(unit_id, { position: BigInt(position), to: data['data'].to });
  }
}
