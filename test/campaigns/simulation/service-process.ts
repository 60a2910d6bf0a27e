import type { INestApplication } from '@nestjs/common';
import { createApplication } from '#app/application.js';
import { BackgroundWork } from '#app/background-work.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import type { Logger } from '#kernel/logger.js';
import { HmacKeyIssuer } from '#domain/locks/index.js';
import { Operators, OperatorSessions } from '#domain/operators/index.js';
import { type Deployment, type Faults, isEmbedded } from './faults.js';
import { type Answer, type Call, type Handler, inject } from './injected-request.js';
import type { SeededIds } from './ids.js';
import type { Receivers } from './receivers.js';
import type { Scheduler } from './scheduler.js';
import type { MemoryDocumentStore } from './stores/memory-document-store.js';
import type { MemoryEventStore } from './stores/memory-event-store.js';
import type { Texts } from './texts.js';
import { Wire, WiredDocumentStore, WiredEventStore } from './wire.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';

/** Parts that all processes of a run share. */
export interface SharedWorld {
  readonly deployment: Deployment;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly ids: SeededIds;
  readonly events: MemoryEventStore;
  readonly records: MemoryDocumentStore;
  readonly views: MemoryDocumentStore;
  readonly texts: Texts;
  /** Absent: no company has webhooks. */
  readonly receivers: Receivers | undefined;
  /** Failures that the service called its own. None is expected. */
  readonly failures: string[];
  trace(entry: string): void;
}

const MANY = '1000000';
const SECRET = 'a master secret for simulations, long enough';

/** One process of the service: the whole application, on stores that it reaches over a wire. */
export class ServiceProcess {
  alive = true;
  private readonly running = new Set<(answer: undefined) => void>();

  private constructor(
    readonly name: string,
    private readonly world: SharedWorld,
    private readonly wire: Wire,
    private readonly events: WiredEventStore,
    private readonly application: INestApplication,
  ) {}

  static async start(name: string, world: SharedWorld): Promise<ServiceProcess> {
    const { scheduler, deployment } = world;
    const wire = new Wire(name, scheduler, world.faults, deployment, (entry) => world.trace(entry));
    const events = new WiredEventStore(wire, world.events);
    const starting = createApplication({
      passwordCost: CHEAP_PASSWORDS,
      environment: readEnvironment({
        RATE_LIMIT_PMS_WRITES: MANY,
        RATE_LIMIT_PMS_BULK: MANY,
        RATE_LIMIT_READS: MANY,
        RATE_LIMIT_OPERATORS: MANY,
        RATE_LIMIT_AUTH_SOURCE: MANY,
        SMS_LIMIT_COMPANY: '1000000/1000000',
        SMS_LIMIT_SERVICE: '1000000/1000000',
      }),
      clock: scheduler.clockOf(name),
      ids: world.ids,
      logger: loggerInto(world.failures),
      eventStore: events,
      records: new WiredDocumentStore(wire, world.records, 'records'),
      views: new WiredDocumentStore(wire, world.views, 'views'),
      smsSender: world.texts.senderOf(name),
      // Every process must be able to open the secrets.
      webhookSecretsKey: Buffer.alloc(32, 1),
      ...(world.receivers && { webhookHttp: world.receivers.httpOf(name) }),
      keyIssuer: new HmacKeyIssuer(Buffer.from(SECRET)),
      embedded: isEmbedded(deployment),
    });
    const { application } = await scheduler.boot(name, starting);
    return new ServiceProcess(name, world, wire, events, application);
  }

  /** The answer, or undefined where the process ended before it could give one. */
  request(call: Call): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const end = (answer: Answer | undefined) => {
        this.running.delete(end);
        resolve(answer);
      };
      if (!this.alive) return end(undefined);
      this.running.add(end);
      const handler = this.application.getHttpAdapter().getInstance() as Handler;
      void inject(handler, call).then((answer) => {
        if (this.alive) end(answer);
      });
    });
  }

  /** A session for an operator, without the password that threads would have to hash. */
  async openOperatorSession(operator_id: string): Promise<string> {
    const operator = await this.application.get(Operators, { strict: false }).byId(operator_id);
    return (await this.application.get(OperatorSessions, { strict: false }).open(operator!)).token;
  }

  async lag(): Promise<number | null> {
    return (await this.application.get(BackgroundWork, { strict: false }).state()).lag;
  }

  /** Whether what is stored comes later to those who follow the log here. */
  get isLagging(): boolean {
    return this.wire.isLagging;
  }

  /** Ends the process as a power cut does: what it had not sent is lost, whoever asked it hears nothing more. */
  crash(): void {
    this.alive = false;
    this.wire.sever();
    this.events.abandon();
    this.world.scheduler.bury(this.name);
    for (const end of [...this.running]) end(undefined);
  }
}

function loggerInto(failures: string[]): Logger {
  const nothing = () => undefined;
  const keep = (details: object, message: string) => {
    const { error } = details as { error?: unknown };
    failures.push(
      `${message} ${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(details)}`,
    );
  };
  return { error: keep, warn: nothing, info: nothing, debug: nothing };
}
