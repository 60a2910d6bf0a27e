import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { WriteOperator } from '#domain/operators/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, IDS } from '#kernel/injection-tokens.js';
import { SummaryLinks } from './summary-links.js';
import { type NamedSubscription, subscriptionId, SummarySubscriptions } from './summary-subscriptions.js';

/** Switches the morning mails of operators on and off. Every method throws StoreUnavailableError, WriteContendedError. */
@Injectable()
export class SummarySwitch {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly commands: CommandBus,
    private readonly subscriptions: SummarySubscriptions,
    private readonly links: SummaryLinks,
  ) {}

  /** The first mail comes on the next morning. Does nothing if it is on. */
  async switchOn(named: NamedSubscription, context: WriteContext): Promise<void> {
    if ((await this.subscriptions.readSubscription(subscriptionId(named))) !== undefined) return;
    await this.#record(named, true, context);
    await this.subscriptions.addSubscription(named, this.clock.now());
  }

  /** Does nothing if it is off. */
  async switchOff(named: NamedSubscription, context: WriteContext): Promise<void> {
    const id = subscriptionId(named);
    if ((await this.subscriptions.readSubscription(id)) === undefined) return;
    await this.#record(named, false, context);
    await this.subscriptions.removeSubscription(id);
  }

  /** Whether the service made this link. Also if its mails were stopped before. */
  knowsLink(token: string): boolean {
    return this.links.subscriptionIn(token) !== undefined;
  }

  /** @returns false if the service did not make this link */
  async switchOffByLink(token: string): Promise<boolean> {
    const id = this.links.subscriptionIn(token);
    if (id === undefined) return false;
    const subscription = await this.subscriptions.readSubscription(id);
    const ids = { command_id: this.ids.ulid(), request_id: this.ids.ulid() };
    const actor = { kind: 'system', id: 'summary-link' } as const;
    if (subscription !== undefined) await this.switchOff(subscription, { ...ids, actor, recovering: false });
    return true;
  }

  async #record({ operator_id, company_id }: NamedSubscription, on: boolean, context: WriteContext) {
    const command = { type: 'SwitchSummary', company_id, on } as const;
    await this.commands.execute(new WriteOperator(operator_id, command, context));
  }
}
