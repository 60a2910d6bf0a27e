import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { hashOf } from '#kernel/credential-hash.js';
import { CLOCK, EVENT_STORE, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import type { HeldLease } from '#eventsourcing/documents/take-lease.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { readFrom } from '#eventsourcing/writing/stored-stream.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { ApiTokenPrincipal, TokenScope } from '#kernel/principals.js';
import { COMPANY } from './company.aggregate.js';
import { companyStream, type CompanyEvent } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';
import type { RejectedAtSite, RejectedBulk } from './rejected-bulk.js';
import { RejectionsAtSites } from './rejections-at-sites.js';
import { type CompanyOutcome, WriteCompany } from './write-company.js';

/** `_id` is the SHA-256 (hex) of the token's value. The value itself is not stored. */
export interface ApiTokenRecord {
  readonly _id: string;
  readonly version: number;
  readonly token_id: string;
  readonly company_id: string;
  readonly name: string;
  readonly scope: TokenScope;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  /** The token is refused from this instant (milliseconds); null: never. */
  readonly expires_at: number | null;
  /** Milliseconds; null while the token is not revoked. */
  readonly revoked_at: number | null;
  /** Milliseconds, exact to a minute; null before the first use. */
  readonly last_used_at: number | null;
  /** Absent if no bulk had rejected rows. */
  readonly last_rejected_bulk?: RejectedBulk;
}

export type ListedApiToken = Omit<ApiTokenRecord, '_id' | 'version' | 'company_id'>;

/** A new token. Its value is shown only here. */
export type IssuedApiToken = Pick<
  ApiTokenRecord,
  'token_id' | 'name' | 'scope' | 'created_at' | 'expires_at'
> & {
  readonly token: string;
};

type NewApiToken = Pick<ApiTokenRecord, 'name' | 'scope' | 'expires_at'>;

export const API_TOKENS: CollectionDeclaration<ApiTokenRecord> = {
  name: 'api_tokens',
  indexes: { by_company: { fields: ['company_id'] }, by_token_id: { fields: ['token_id'] } },
};

/** The prefix lets people and secret scanners recognise a token. */
const TOKEN_PREFIX = 'sat_';
const USE_RECORDED_EVERY_MS = 60_000;

/**
 * The API tokens of companies (specification §5.1). They are records, because a revocation must hold at once. Events of the
 * company's stream say who issued or revoked them.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class ApiTokens {
  /** The hashes of tokens whose `last_used_at` is being written. */
  readonly #used = new Set<string>();
  /** Running writes of `last_used_at` and of rejected bulks, by company. */
  readonly #recording = new Map<string, Promise<void>>();

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly commands: CommandBus,
    private readonly rejections: RejectionsAtSites,
  ) {}

  /**
   * Issues a token: first its event, then its record. Refused if an earlier attempt at the same command has issued a token,
   * because its value cannot be shown again.
   * @throws StoreUnavailableError if the lease was lost; the token is then refused
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
    // The log holds no id of a record, only its hash, with which `faultsOfApiTokens` compares the record.
    const credential_sha256 = hashOf(_id);
    const command = { type: 'IssueApiToken', token_id, ...wanted, credential_sha256 } as const;
    const outcome = await this.commands.execute(new WriteCompany(company_id, command, context));
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
    await lease.write({
      write: () => this.records.write([{ kind: 'insert', collection: API_TOKENS.name, document }]),
      undo: () => this.#markRevoked(company_id, token_id),
    });
    // If the token was revoked after its event, the revocation found no record yet.
    if (await this.#isRevoked(company_id, token_id)) await this.#markRevoked(company_id, token_id);
    return { token_id, ...wanted, token, created_at };
  }

  /** All tokens of the company, also revoked and expired ones, in the order they were made. */
  async list(company_id: string): Promise<ApiTokenRecord[]> {
    await this.#recording.get(company_id);
    const documents = await wholeList(await this.#open(), 'by_company', { equals: [company_id] });
    return documents.sort(byTokenId);
  }

  /**
   * As {@link list}, with tokens that have an event but no record, because a crash came between the two. Nobody has seen
   * their values, and they are refused. They are listed so that they can be revoked.
   */
  async listIssued({
    company_id,
    api_tokens,
  }: Pick<CompanyState, 'company_id' | 'api_tokens'>): Promise<ListedApiToken[]> {
    const recorded = await this.list(company_id);
    const ids = new Set(recorded.map(({ token_id }) => token_id));
    if (api_tokens.every(({ token_id }) => ids.has(token_id))) return recorded;
    const events = await readFrom<CompanyEvent>(this.log, COMPANY, companyStream(company_id), 0);
    const unrecorded = issuedBy(events).filter(({ token_id }) => !ids.has(token_id));
    return [...recorded, ...unrecorded].sort(byTokenId);
  }

  /** The token is refused from now on. @returns false if the company has no such token, or it was revoked before */
  async revoke(company_id: string, token_id: string, context: WriteContext): Promise<boolean> {
    // The record comes first. If the log fails then, the token is refused already, and a repeat writes the event.
    await this.#markRevoked(company_id, token_id);
    const command = { type: 'RevokeApiToken', token_id } as const;
    const outcome = await this.commands.execute(new WriteCompany(company_id, command, context));
    // A token that was being issued meanwhile had no record at the first call.
    await this.#markRevoked(company_id, token_id);
    return outcome.kind === 'done' && outcome.changed;
  }

  /** Undefined if the token is refused. Records the use without delaying the request. */
  async verify(token: string): Promise<ApiTokenPrincipal | undefined> {
    if (!token.startsWith(TOKEN_PREFIX)) return undefined;
    const record = await (await this.#open()).get(hashOf(token));
    if (record === undefined || !isValidToken(record, this.clock.now())) return undefined;
    const { token_id: id, company_id, scope } = record;
    this.#noteUse(record);
    return { kind: 'api_token', id, company_id, scope };
  }

  /** Keeps the token's newest bulk with rejected rows, and the newest of each location, without delaying the request. */
  noteRejected(
    token: Pick<ApiTokenPrincipal, 'id' | 'company_id'>,
    rejected: Omit<RejectedBulk, 'at'>,
    readRejectedAtSites: () => Promise<readonly RejectedAtSite[]>,
  ): void {
    const bulk = { at: this.clock.now(), ...rejected };
    const written = this.#change(token.id, (record) =>
      (record.last_rejected_bulk?.at ?? 0) > bulk.at ? record : { ...record, last_rejected_bulk: bulk },
    );
    const writtenAtSites = readRejectedAtSites().then((sites) =>
      this.rejections.write(token, bulk.at, sites),
    );
    this.#record(token.company_id, Promise.allSettled([written, writtenAtSites]));
  }

  async #isRevoked(company_id: string, token_id: string): Promise<boolean> {
    const events = await readFrom<CompanyEvent>(this.log, COMPANY, companyStream(company_id), 0);
    return events.some(({ type, data }) => type === 'ApiTokenRevoked' && data.token_id === token_id);
  }

  #markRevoked(company_id: string, token_id: string): Promise<void> {
    return this.#change(token_id, (record) =>
      record.company_id !== company_id || record.revoked_at !== null
        ? record
        : { ...record, revoked_at: this.clock.now() },
    );
  }

  /** Writes what `changed` makes of the token's record, if it is another one. */
  #change(token_id: string, changed: (record: ApiTokenRecord) => ApiTokenRecord): Promise<void> {
    return untilItHolds(async () => {
      const [record] = await (await this.#open()).findAny('by_token_id', [token_id]);
      if (record === undefined) return undefined;
      const after = changed(record);
      if (after === record) return undefined;
      const document = { ...after, version: record.version + 1 };
      const write = { kind: 'compare_and_set', expected: record.version, document } as const;
      return (await writeOne(this.records, API_TOKENS, write)) === 'written' ? undefined : OVERTAKEN;
    });
  }

  #noteUse(record: ApiTokenRecord): void {
    const now = this.clock.now();
    if (record.last_used_at !== null && now - record.last_used_at < USE_RECORDED_EVERY_MS) return;
    if (this.#used.has(record._id)) return;
    this.#used.add(record._id);
    const document = { ...record, version: record.version + 1, last_used_at: now };
    // Compare-and-set, so that this write cannot undo a revocation.
    const write = { kind: 'compare_and_set', expected: record.version, document } as const;
    const written = writeOne(this.records, API_TOKENS, write);
    this.#record(
      record.company_id,
      written.finally(() => this.#used.delete(record._id)),
    );
  }

  /** Remembers a write until it has ended. Losing it does no harm. */
  #record(company_id: string, write: Promise<unknown>): void {
    const running = Promise.allSettled([this.#recording.get(company_id), write]).then(() => {
      if (this.#recording.get(company_id) === running) this.#recording.delete(company_id);
    });
    this.#recording.set(company_id, running);
  }

  #open(): Promise<Collection<ApiTokenRecord>> {
    return this.records.collection(API_TOKENS);
  }
}

/** @param now milliseconds */
export function isValidToken({ revoked_at, expires_at }: ApiTokenRecord, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}

function byTokenId(one: ListedApiToken, other: ListedApiToken): number {
  return one.token_id < other.token_id ? -1 : 1;
}

/** The tokens of a company's stream. */
function issuedBy(events: readonly StoredDomainEvent<CompanyEvent>[]): ListedApiToken[] {
  const tokens = new Map<string, ListedApiToken>();
  for (const { type, data, metadata } of events) {
    const at = Date.parse(metadata.occurred_at);
    if (type === 'ApiTokenIssued') {
      const { token_id, name, scope, expires_at } = data;
      const times = { created_at: at, expires_at, revoked_at: null, last_used_at: null };
      tokens.set(token_id, { token_id, name, scope, ...times });
    }
    if (type === 'ApiTokenRevoked')
      tokens.set(data.token_id, { ...tokens.get(data.token_id)!, revoked_at: at });
  }
  return [...tokens.values()];
}
