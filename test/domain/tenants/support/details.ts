import { type Ids, systemIds } from '#kernel/ids.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { Clock } from '#kernel/clock.js';
import { AccountChanges } from '#domain/tenants/account-changes.js';
import { GuestAccounts } from '#domain/tenants/guest-accounts.js';
import { LoginNetworks } from '#domain/tenants/login-networks.js';
import { OtpCodes } from '#domain/tenants/otp-codes.js';
import { OwnAccounts } from '#domain/tenants/own-accounts.js';
import { PhoneClaims } from '#domain/tenants/phone-claims.js';
import {
  accountId,
  accountInsert,
  TENANT_ACCOUNTS,
  type TenantAccount,
  type TenantDetails,
  type TenantKey,
  tenantName,
} from '#domain/tenants/tenant-account.js';
import { TenantAccounts } from '#domain/tenants/tenant-accounts.js';
import { TenantDetailsWrites } from '#domain/tenants/tenant-details.js';
import { TenantErasure } from '#domain/tenants/tenant-erasure.js';
import { TenantSessions } from '#domain/tenants/tenant-sessions.js';
import { WriteTenantsHandler } from '#domain/tenants/write-tenants.js';
import { busOfHandlers } from '#eventsourcing/writing/bus-of-handlers.js';
import type { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { worldsClock } from '../../../support/company-clocks.js';

interface Stores {
  readonly records: DocumentStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly writer: CommandRunner;
  /** The companies that are sandboxes. */
  readonly sandboxes?: readonly string[];
}

/** A command of its own, asked for by a PMS. */
export function aContext(more: Partial<WriteContext> = {}): WriteContext {
  const actor = { kind: 'api_token', id: 'token-1' } as const;
  return { command_id: systemIds.ulid(), request_id: 'r-1', actor, recovering: false, ...more };
}

/** What writes accounts, on stores of a test. */
export function accountWriters({ records, ids, clock, writer, sandboxes = [] }: Stores, embedded = false) {
  const clocks = worldsClock(clock, sandboxes);
  const accounts = new TenantAccounts(records, ids, clocks, embedded);
  const sessions = new TenantSessions(records, ids, clocks, { tenant_token_days: 30 });
  const codes = new OtpCodes(records, ids, clock, clocks);
  const sms = { send: () => Promise.resolve(), forget: () => Promise.resolve() };
  const networks = new LoginNetworks(records, clock);
  const changes = new AccountChanges(records, accounts, sessions, codes, networks, sms);
  const commands = busOfHandlers(new WriteTenantsHandler(writer, clocks));
  const guests = new GuestAccounts(records, clock);
  const claims = new PhoneClaims(records, clock);
  const ownAccounts = new OwnAccounts(accounts, changes, commands, clocks, guests, claims);
  const details = new TenantDetailsWrites(accounts, changes, commands, writer, clocks);
  const erasure = new TenantErasure(accounts, changes, commands, clocks);
  return { accounts, details, ownAccounts, erasure, sessions, codes, writer, records, clock };
}

type Writers = Pick<
  ReturnType<typeof accountWriters>,
  'accounts' | 'details' | 'writer' | 'records' | 'clock'
>;

/** Makes the accounts that are missing, as a command does before it appends. */
export async function makeAccounts(
  { accounts, records, clock }: Omit<Writers, 'details' | 'writer'>,
  keys: readonly TenantKey[],
  persons: readonly TenantDetails[] = [],
) {
  const found = await accounts.find(keys);
  const created = new Map<string, TenantAccount>();
  keys.forEach((key, place) => {
    const id = accountId(key);
    if (found[place] !== undefined || created.has(id)) return;
    const person = persons.find((one) => accountId(one.key) === id);
    created.set(id, accounts.newAccount(key, clock.now(), person));
  });
  await records.collection(TENANT_ACCOUNTS);
  if (created.size > 0) await records.write([...created.values()].map(accountInsert));
  return {
    created,
    tenant_ids: keys.map((key, place) => (found[place] ?? created.get(accountId(key))!).tenant_id),
  };
}

/** As a bulk does: accounts that are missing, then what differs. */
export function recordDetails(
  writers: Writers,
  stated: readonly TenantDetails[],
  context: WriteContext = aContext(),
) {
  const keys = stated.map(({ key }) => key);
  const names = keys.map(({ company_id, pms_tenant_id }) => tenantName(company_id, pms_tenant_id));
  return writers.writer.alone(names, context, async () => {
    const { created } = await makeAccounts(writers, keys);
    return writers.details.record(stated, context, created);
  });
}
