import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { HistoryDamagedError } from '#eventsourcing/writing/history-damaged.error.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { type AccountChange, AccountChanges } from './account-changes.js';
import {
  accountId,
  changedFields,
  isSuperseded,
  type PersonalDetails,
  type TenantAccount,
  type TenantDetails,
  tenantName,
  withDetails,
  type CreatedAccounts,
} from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { type DetailField, tenantStream } from './core/tenant.events.js';
import { WriteTenants } from './write-tenants.js';

/** What became of details. */
export type RecordedDetails =
  | { readonly kind: 'unchanged' }
  /** `fields` is empty if an earlier attempt has stored them. */
  | { readonly kind: 'changed'; readonly fields: readonly DetailField[] }
  /** Ignored, because the account was erased. */
  | { readonly kind: 'suppressed' }
  /** Ignored, because the account has newer details, from this instant (milliseconds). */
  | { readonly kind: 'superseded'; readonly stated_at: number }
  /** Not stored, because somebody damaged the account's events in the log. */
  | { readonly kind: 'damaged' };

/** Details, with the account as it is stored. */
interface FoundDetails {
  readonly entry: TenantDetails;
  readonly before: TenantAccount | undefined;
}

type CreateOutcome =
  | { readonly kind: 'created'; readonly account: TenantAccount }
  /** The account exists and already has a name. */
  | { readonly kind: 'taken' };

interface Recording {
  readonly context: WriteContext;
  readonly created: CreatedAccounts;
  readonly dryRun: boolean;
}

const UNCHANGED: RecordedDetails = { kind: 'unchanged' };

/**
 * Writes personal details. Before each change, an event with the names of the fields is stored (decisions §3, §6). Every
 * method throws StoreUnavailableError, also if other writers keep changing the same account.
 */
@Injectable()
export class TenantDetailsWrites {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly changes: AccountChanges,
    private readonly commands: CommandBus,
    private readonly runner: CommandRunner,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * Records details from a PMS for existing accounts, and answers in the order of `details`. Entries for one account must
   * not contradict each other. The caller holds the locks {@link tenantName}.
   * @param created accounts that the same command has created: their first details have no event
   * @param dryRun true: answers, but stores nothing
   */
  async record(
    details: readonly TenantDetails[],
    context: WriteContext,
    created: CreatedAccounts = new Map(),
    dryRun = false,
  ): Promise<RecordedDetails[]> {
    if (details.length === 0) return [];
    const merged = mergeByAccount(details);
    const recorded = new Map<string, RecordedDetails>();
    let open = [...merged.values()];
    let isFirst = true;
    await untilItHolds(async () => {
      const found = await this.#findAccounts(open, isFirst ? created : undefined);
      isFirst = false;
      try {
        open = await this.#recordOnce(found, recorded, { context, created, dryRun });
      } catch (error) {
        if (!(error instanceof HistoryDamagedError)) throw error;
        open = this.#withoutDamaged(found, recorded);
      }
      return open.length === 0 ? undefined : OVERTAKEN;
    });
    return details.map(({ key }) => recorded.get(accountId(key)) ?? UNCHANGED);
  }

  /**
   * Whether {@link record} would store nothing of these details because somebody damaged the account's events. False if
   * they change nothing.
   */
  async refuses(tenant_id: string, details: PersonalDetails): Promise<boolean> {
    if (!this.runner.isDamaged(tenantStream(tenant_id))) return false;
    const [before] = await this.accounts.byTenantId([tenant_id]);
    if (before === undefined || before.erased_at !== null || isSuperseded(before, details)) return false;
    return withDetails(before, details) !== before;
  }

  /**
   * Creates an account for an operator, or completes an account without a name: a push write made it, or it was erased.
   */
  create(details: TenantDetails, context: WriteContext): Promise<CreateOutcome> {
    const { key } = details;
    return this.runner.alone([tenantName(key.company_id, key.pms_tenant_id)], context, async () => {
      const now = await this.clocks.now(key.company_id);
      return untilItHolds(async () => {
        const [before] = await this.accounts.find([key]);
        // An earlier attempt at this command has created the account.
        if (before?.tenant_id === context.command_id) return { kind: 'created', account: before };
        if (before !== undefined && before.name !== null) return { kind: 'taken' };
        const account = before ?? { ...this.accounts.newAccount(key, now), tenant_id: context.command_id };
        const after = withDetails(account, details);
        const isWritten = await this.#change({ before, after }, context);
        return isWritten ? { kind: 'created', account: after } : OVERTAKEN;
      });
    });
  }

  /** Changes details for an operator. Undefined if there is no such tenant. */
  async change(
    tenant_id: string,
    details: PersonalDetails,
    context: WriteContext,
  ): Promise<TenantAccount | undefined> {
    return untilItHolds(async () => {
      const [before] = await this.accounts.byTenantId([tenant_id]);
      if (before === undefined) return undefined;
      const after = withDetails(before, details);
      const isWritten = after === before || (await this.#change({ before, after }, context));
      return isWritten ? after : OVERTAKEN;
    });
  }

  /** @returns the details of sound accounts */
  #withoutDamaged(found: readonly FoundDetails[], recorded: Map<string, RecordedDetails>): TenantDetails[] {
    return found.flatMap(({ entry, before }) => {
      if (before === undefined || !this.runner.isDamaged(tenantStream(before.tenant_id))) return [entry];
      recorded.set(before._id, { kind: 'damaged' });
      return [];
    });
  }

  /** Does not read accounts that the command has created: if one was changed since, its compare-and-set fails. */
  async #findAccounts(
    details: readonly TenantDetails[],
    created: CreatedAccounts = new Map(),
  ): Promise<FoundDetails[]> {
    const unread = details.map(({ key }) => key).filter((key) => !created.has(accountId(key)));
    const accounts = await this.accounts.find(unread);
    const read = new Map(unread.map((key, index) => [accountId(key), accounts[index]]));
    return details.map((entry) => {
      const id = accountId(entry.key);
      return { entry, before: created.get(id) ?? read.get(id) };
    });
  }

  /** @returns the details to record again, because another write came first */
  async #recordOnce(
    found: readonly FoundDetails[],
    recorded: Map<string, RecordedDetails>,
    { context, created, dryRun }: Recording,
  ): Promise<TenantDetails[]> {
    const decided = found.flatMap(({ entry, before }) => {
      if (before === undefined) return [];
      if (before.erased_at !== null) {
        recorded.set(before._id, { kind: 'suppressed' });
        return [];
      }
      const after = withDetails(before, entry);
      if (after === before || !isSuperseded(before, entry)) return [{ entry, before, after }];
      recorded.set(before._id, { kind: 'superseded', stated_at: before.details_stated_at! });
      return [{ entry, before, after: before }];
    });
    const differing = decided.filter(({ before, after }) => before !== after);
    const isFirst = ({ before }: AccountChange) => created.has(before!._id) && before!.name === null;
    for (const { before, after } of differing)
      recorded.set(after._id, { kind: 'changed', fields: changedFields(before, after) });
    if (dryRun) return [];
    // An earlier attempt may have stored its event before a crash: this is the change that the event names.
    const withEvent = context.recovering ? decided : differing.filter((change) => !isFirst(change));
    for (const id of await this.#appendEvents(withEvent, context))
      if (recorded.get(id)?.kind !== 'changed') recorded.set(id, { kind: 'changed', fields: [] });
    const isStored = await this.changes.store(differing);
    return differing.filter((_, index) => !isStored[index]).map(({ entry }) => entry);
  }

  async #change(change: AccountChange, context: WriteContext): Promise<boolean> {
    await this.#appendEvents([change], context);
    const [isStored] = await this.changes.store([change]);
    return isStored!;
  }

  /** @returns the ids of accounts that have an event of this command */
  async #appendEvents(changes: readonly AccountChange[], context: WriteContext): Promise<string[]> {
    if (changes.length === 0) return [];
    const writes = changes.map(({ before, after }) => {
      const { tenant_id, company_id, location_id } = after;
      const fields = changedFields(before, after);
      const command = { type: 'ChangeTenantDetails', company_id, location_id, fields } as const;
      return { tenant_id, command };
    });
    const { company_id } = changes[0]!.after;
    const outcomes = await this.commands.execute(new WriteTenants(company_id, writes, context));
    return changes.flatMap(({ after }, index) => {
      const outcome = outcomes[index]!;
      return outcome.kind === 'done' && outcome.changed ? [after._id] : [];
    });
  }
}

/** One entry for each account. A field that is absent in a later entry keeps the earlier value. */
function mergeByAccount(details: readonly TenantDetails[]): Map<string, TenantDetails> {
  const merged = new Map<string, TenantDetails>();
  for (const entry of details) {
    const id = accountId(entry.key);
    const earlier = merged.get(id);
    merged.set(id, {
      ...earlier,
      ...entry,
      email: entry.email === undefined ? earlier?.email : entry.email,
      phone: entry.phone === undefined ? earlier?.phone : entry.phone,
    });
  }
  return merged;
}
