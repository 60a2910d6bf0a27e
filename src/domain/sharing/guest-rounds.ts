import { Inject, Injectable, Optional } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { TenantAccessViews, type TenantUnit } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { type GuestAccount, GuestAccounts, TenantAccounts, TenantErasure } from '#domain/tenants/index.js';
import { hasUnit, openOffers, UnitDirectory, type UnitDocument, WriteUnits } from '#domain/units/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, IDS, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';

/** Another feature that gives guests something. app.module.ts binds the list. */
export interface GuestKeeper {
  /** Whether the account has something of the feature, or had it since an instant (milliseconds). @throws StoreUnavailableError */
  keepsGuest(tenant_id: string, since: number): Promise<boolean>;
  /** Ends what the account was given while it was erased. Idempotent. @throws StoreUnavailableError */
  endForErased(tenant_id: string, context: WriteContext): Promise<void>;
}

/** Injection token of `GuestKeeper[]`. */
export const GUEST_KEEPERS = Symbol('GuestKeepers');

const DAY_MS = 24 * 60 * 60_000;
/** A guest who has nothing for so long is erased (decisions §13). */
const IDLE_MS = 30 * DAY_MS;
/** Milliseconds between two rounds. */
const ROUND_EVERY_MS = 10 * 60_000;
const GUESTS_AT_ONCE = 100;

/** Erases guests who share nothing for 30 days, are invited to nothing, and hold no pass. Each guest is looked at once a day. */
@Injectable()
export class GuestRounds {
  readonly #looking: RepeatedWork;

  constructor(
    private readonly guests: GuestAccounts,
    private readonly accounts: TenantAccounts,
    private readonly erasure: TenantErasure,
    private readonly views: TenantAccessViews,
    private readonly units: UnitDirectory,
    private readonly clocks: CompanyClocks,
    private readonly commands: CommandBus,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
    @Optional() @Inject(GUEST_KEEPERS) private readonly keepers: readonly GuestKeeper[] = [],
  ) {
    const failed = (error: unknown) => logger.warn({ error }, 'Guests could not be looked at; trying again.');
    this.#looking = new RepeatedWork({ clock, failed, interval: ROUND_EVERY_MS }, () => this.lookAtDue());
  }

  start(): void {
    this.#looking.start();
  }

  stop(): Promise<void> {
    return this.#looking.stop();
  }

  /** Looks at all guests whose day is over. @throws StoreUnavailableError */
  async lookAtDue(): Promise<void> {
    for (;;) {
      const due = await this.guests.listDue(GUESTS_AT_ONCE);
      for (const guest of due) {
        if (this.#looking.isOver) return;
        await this.#look(guest);
      }
      if (due.length < GUESTS_AT_ONCE) return;
    }
  }

  async #look(guest: GuestAccount): Promise<void> {
    const { _id: tenant_id, company_id } = guest;
    const [account] = await this.accounts.byTenantId([tenant_id]);
    // The request that listed the guest failed before it made the account, or staff have erased it.
    if (account === undefined || account.erased_at !== null) return this.guests.remove(guest);
    const now = await this.clocks.now(company_id);
    const [document] = await this.views.findDocuments([tenant_id]);
    const entries = document?.units ?? [];
    if (await this.#hasSomething(tenant_id, entries, now)) return this.guests.keepLook(guest, null);
    const had = revisionsOf(entries);
    const since = guest.idle?.had === had ? guest.idle.since : now;
    if (now - since < IDLE_MS || (await this.#isKept(tenant_id, now - IDLE_MS)))
      return this.guests.keepLook(guest, { since, had });
    await this.#erase(guest);
    await this.guests.remove(guest);
  }

  async #hasSomething(tenant_id: string, entries: readonly TenantUnit[], now: number): Promise<boolean> {
    return (await this.#unitsGiving(tenant_id, entries, now)).length > 0;
  }

  /** The units that the account has, or is invited to. */
  async #unitsGiving(
    tenant_id: string,
    entries: readonly TenantUnit[],
    now: number,
  ): Promise<readonly UnitDocument[]> {
    const units = await this.units.byStreams(entries.map(({ stream }) => stream));
    return units.flatMap((unit) => {
      if (unit === undefined) return [];
      const isInvited = openOffers(unit.offers, now).some((offer) => offer.tenant_id === tenant_id);
      return isInvited || hasUnit(unit, tenant_id, now) ? [unit] : [];
    });
  }

  async #isKept(tenant_id: string, since: number): Promise<boolean> {
    for (const keeper of this.keepers) if (await keeper.keepsGuest(tenant_id, since)) return true;
    return false;
  }

  /** Somebody may let the guest in while it is erased: so what it has is looked for again afterwards. */
  async #erase({ _id: tenant_id, company_id }: GuestAccount): Promise<void> {
    const ids = { command_id: this.ids.ulid(), request_id: this.ids.ulid() };
    const actor = { kind: 'system', id: 'guests' } as const;
    const context = { ...ids, actor, recovering: false };
    await this.erasure.erase(tenant_id, context);
    await this.#endShares(tenant_id, company_id, context);
    for (const keeper of this.keepers) await keeper.endForErased(tenant_id, context);
  }

  async #endShares(tenant_id: string, company_id: string, context: WriteContext): Promise<void> {
    const [document] = await this.views.findDocuments([tenant_id]);
    const now = await this.clocks.now(company_id);
    const command = { type: 'EndSharesOf', tenant_id } as const;
    const given = await this.#unitsGiving(tenant_id, document?.units ?? [], now);
    const writes = given.map(({ crm_unit_id }) => ({ crm_unit_id, command }));
    await this.commands.execute(new WriteUnits(company_id, writes, context));
  }
}

/** A share that began and ended between two looks has left a newer revision. */
function revisionsOf(entries: readonly TenantUnit[]): string {
  return JSON.stringify(entries.map(({ unit_id, revision }) => [unit_id, revision]));
}
