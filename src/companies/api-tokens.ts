import { Inject, Injectable } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '../documents/until-it-holds.js';
import type { Clock } from '../config/clock.js';
import { type Ids, hashOf } from '../config/ids.js';
import { CLOCK, EVENT_STORE, IDS, RECORDS } from '../config/injection-tokens.js';
import type { Collection, CollectionDeclaration, DocumentStore } from '../documents/document-store.js';
import { wholeList } from '../documents/pages.js';
import type { HeldLease } from '../documents/take-lease.js';
import type { StoredDomainEvent } from '../log/domain-event.js';
import type { EventStore } from '../log/event-store.js';
import { readFrom } from '../writing/stored-stream.js';
import type { WriteContext } from '../writing/write-context.js';
import type { ApiTokenPrincipal, TokenScope } from '../http/authentication.js';
import { COMPANY } from './company.aggregate.js';
import { CompanyCommands, type CompanyOutcome } from './company.commands.js';
import { companyStream, type CompanyEvent } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';

/** An API token as it is kept: `_id` is the SHA-256 (hex) of its value, which is kept nowhere. */
export interface ApiTokenRecord {
  readonly _id: string;
  readonly version: number;
  readonly token_id: string;
  readonly company_id: string;
  readonly name: string;
  readonly scope: TokenScope;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  /** From when on it is refused, in milliseconds; null: never. */
  readonly expires_at: number | null;
  /** When it was revoked, in milliseconds; null while it holds. */
  readonly revoked_at: number | null;
  /** Milliseconds since the epoch, true to the minute; null before the first use. */
  readonly last_used_at: number | null;
}

/** A token as a list tells of it. */
export type ListedApiToken = Omit<ApiTokenRecord, '_id' | 'version' | 'company_id'>;

/** A token that was just made: the only time its value is seen. */
export type IssuedApiToken = Pick<
  ApiTokenRecord,
  'token_id' | 'name' | 'scope' | 'created_at' | 'expires_at'
> & {
  readonly token: string;
};

/** The wanted properties of a token. */
export type NewApiToken = Pick<ApiTokenRecord, 'name' | 'scope' | 'expires_at'>;

/** Those that a company's log alone names, as far as it was read: its events before revision `next`. */
interface Unrecorded {
  readonly tokens: readonly ListedApiToken[];
  readonly next: number;
}

export const API_TOKENS: CollectionDeclaration<ApiTokenRecord> = {
  name: 'api_tokens',
  indexes: { by_company: { fields: ['company_id'] }, by_token_id: { fields: ['token_id'] } },
};

/** Tells people and secret scanners what they have found. */
const TOKEN_PREFIX = 'sat_';
const USE_RECORDED_EVERY = 60_000;

/**
 * The API tokens of companies (specification §5.1): records, because a revocation must hold at once. That one was
 * issued or revoked, and by whom, stands in the company's stream.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class ApiTokens {
  /** Uses that are being recorded, by token hash. */
  readonly #recording = new Map<string, Promise<void>>();
  /** By company: what was cut off stays so, and a long stream is not to be read from its beginning for every list. */
  readonly #unrecorded = new Map<string, Unrecorded>();

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly commands: CompanyCommands,
  ) {}

  /**
   * Makes a token of a company; the log names it before it can be used. Refused where an earlier attempt at the command has
   * named one: its value was shown then, and nobody knows it any more.
   * @throws StoreUnavailableError if the lease was lost; the token then opens nothing
   */
  async issue(
    company_id: string,
    wanted: NewApiToken,
    context: WriteContext,
    lease: Pick<HeldLease, 'demand' | 'write'>,
  ): Promise<IssuedApiToken | Extract<CompanyOutcome<never>, { kind: 'rejected' }>> {
    const token_id = this.ids.ulid();
    const token = TOKEN_PREFIX + this.ids.secret();
    const _id = hashOf(token);
    await lease.demand();
    const named = { token_id, ...wanted, credential_sha256: hashOf(_id) };
    const outcome = await this.commands.issueApiToken(company_id, named, context);
    if (outcome.kind === 'rejected') return outcome;
    if (outcome.result.token_id !== token_id) {
      return { kind: 'rejected', refusal: { code: 'api_token_issued_before' } };
    }
    const created_at = outcome.applied_at;
    const document: ApiTokenRecord = {
      _id,
      version: 1,
      token_id,
      company_id,
      ...wanted,
      created_at,
      revoked_at: null,
      last_used_at: null,
    };
    await this.#open();
    await lease.write(
      () => this.records.write([{ kind: 'insert', collection: API_TOKENS.name, document }]),
      () => this.#end(company_id, token_id),
    );
    // A revocation since the log named the token found no record to end.
    if (await this.#isRevoked(company_id, token_id)) await this.#end(company_id, token_id);
    return { token_id, ...wanted, token, created_at };
  }

  /** The company's tokens, those that hold no more too, in the order they were made. */
  async list(company_id: string): Promise<ApiTokenRecord[]> {
    await Promise.all(this.#recording.values());
    const documents = await wholeList(await this.#open(), 'by_company', { equals: [company_id] });
    return documents.sort(byTokenId);
  }

  /**
   * As {@link list}, with those that the log alone names, as what makes a token was cut off behind its event: nobody has seen
   * their values and they open nothing, but they were issued, and can be revoked.
   */
  async listIssued({
    company_id,
    api_tokens,
  }: Pick<CompanyState, 'company_id' | 'api_tokens'>): Promise<ListedApiToken[]> {
    const kept = await this.list(company_id);
    const ids = new Set(kept.map(({ token_id }) => token_id));
    if (api_tokens.every(({ token_id }) => ids.has(token_id))) return kept;
    return [...kept, ...(await this.#unrecordedOf(company_id, ids))].sort(byTokenId);
  }

  /** From here on the token is refused. False where the company has no such token, or no longer. */
  async revoke(company_id: string, token_id: string, context: WriteContext): Promise<boolean> {
    // The record goes first: should the log fail now, the token is dead and the operator's next try writes the event.
    await this.#end(company_id, token_id);
    const outcome = await this.commands.revokeApiToken(company_id, token_id, context);
    // One that was still being made had no record before.
    await this.#end(company_id, token_id);
    return outcome.kind === 'done' && outcome.changed;
  }

  /** The company's server that holds this token, or undefined. Notes the use, without making the request wait. */
  async verify(token: string): Promise<ApiTokenPrincipal | undefined> {
    if (!token.startsWith(TOKEN_PREFIX)) return undefined;
    const record = await (await this.#open()).get(hashOf(token));
    if (record === undefined || record.revoked_at !== null) return undefined;
    const { token_id: id, company_id, scope, expires_at } = record;
    if (expires_at !== null && expires_at <= this.clock.now()) return undefined;
    this.#noteUse(record);
    return { kind: 'api_token', id, company_id, scope };
  }

  async #unrecordedOf(company_id: string, recorded: ReadonlySet<string>): Promise<readonly ListedApiToken[]> {
    const { tokens: before, next } = this.#unrecorded.get(company_id) ?? { tokens: [], next: 0 };
    const events = await readFrom<CompanyEvent>(this.log, COMPANY, companyStream(company_id), next);
    const tokens = issuedBy(before, events).filter(({ token_id }) => !recorded.has(token_id));
    this.#unrecorded.set(company_id, { tokens, next: next + events.length });
    return tokens;
  }

  async #isRevoked(company_id: string, token_id: string): Promise<boolean> {
    const events = await readFrom<CompanyEvent>(this.log, COMPANY, companyStream(company_id), 0);
    return events.some(({ type, data }) => type === 'ApiTokenRevoked' && data.token_id === token_id);
  }

  #end(company_id: string, token_id: string): Promise<void> {
    return untilItHolds(async () => {
      const found = await (await this.#open()).findAny('by_token_id', [token_id]);
      const record = found.find((one) => one.company_id === company_id);
      if (record === undefined || record.revoked_at !== null) return undefined;
      const document = { ...record, version: record.version + 1, revoked_at: this.clock.now() };
      const write = { kind: 'compare_and_set', collection: API_TOKENS.name, document } as const;
      // A use that is noted meanwhile is the only other writer, once a minute.
      const [outcome] = await this.records.write([{ ...write, expected: record.version }]);
      return outcome!.kind === 'written' ? undefined : OVERTAKEN;
    });
  }

  #noteUse(record: ApiTokenRecord): void {
    const now = this.clock.now();
    if (record.last_used_at !== null && now - record.last_used_at < USE_RECORDED_EVERY) return;
    if (this.#recording.has(record._id)) return;
    const document = { ...record, version: record.version + 1, last_used_at: now };
    // Compare-and-set, so that noting a use can never bring back a token that was revoked meanwhile.
    const write = {
      kind: 'compare_and_set',
      collection: API_TOKENS.name,
      expected: record.version,
      document,
    } as const;
    const recorded = this.records.write([write]).then(
      () => undefined,
      // The time of the last use is a convenience: losing one must not fail a request.
      () => undefined,
    );
    this.#recording.set(
      record._id,
      recorded.finally(() => this.#recording.delete(record._id)),
    );
  }

  #open(): Promise<Collection<ApiTokenRecord>> {
    return this.records.collection(API_TOKENS);
  }
}

function byTokenId(one: ListedApiToken, other: ListedApiToken): number {
  return one.token_id < other.token_id ? -1 : 1;
}

/** The tokens that were known before, and those that a company's events since tell of. */
function issuedBy(
  before: readonly ListedApiToken[],
  events: readonly StoredDomainEvent<CompanyEvent>[],
): ListedApiToken[] {
  const tokens = new Map(before.map((token) => [token.token_id, token]));
  for (const { type, data, metadata } of events) {
    const at = Date.parse(metadata.occurred_at);
    if (type === 'ApiTokenIssued') {
      const { token_id, name, scope, expires_at } = data;
      const times = { created_at: at, expires_at, revoked_at: null, last_used_at: null };
      tokens.set(token_id, { token_id, name, scope, ...times });
    }
    if (type === 'ApiTokenRevoked') {
      const revoked = tokens.get(data.token_id);
      // One that is recorded is not among those of before.
      if (revoked !== undefined) tokens.set(data.token_id, { ...revoked, revoked_at: at });
    }
  }
  return [...tokens.values()];
}
