import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { Ids } from '#kernel/ids.js';
import { hashOf } from '#kernel/credential-hash.js';
import { CLOCK, ENVIRONMENT, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { type OperatorRecord, Operators, principalOf } from './operators.js';

/** `_id` is the SHA-256 (hex) of the session's token. The token itself is not stored. */
interface SessionRecord {
  readonly _id: string;
  readonly operator_id: string;
  /** The operator's `rights_version` when the session was opened. */
  readonly rights_version: number;
  readonly version: number;
  /** Last use, up to one minute late. Milliseconds since the epoch, as below. */
  readonly used_at: number;
  readonly expires_at: number;
  /** Absent: it was opened by a password. */
  readonly signed_on?: SignedOn;
}

/** A sign-on at the provider by which a session was opened. */
export interface SignedOn {
  /** When the person proved to the provider who they are, in milliseconds. Null if the provider does not say. */
  readonly proven_at: number | null;
  /** Whether that took a second factor that counts here. */
  readonly has_factor: boolean;
}

export const SESSIONS: CollectionDeclaration<SessionRecord> = {
  name: 'operator_sessions',
  indexes: { by_operator: { fields: ['operator_id'] } },
  expiry: 'expires_at',
};

/** When an operator was last seen: sessions are deleted when they end. `_id` is the operator's. */
interface SeenRecord {
  readonly _id: string;
  /** Milliseconds since the epoch, up to one minute late. */
  readonly seen_at: number;
}

const SEEN: CollectionDeclaration<SeenRecord> = { name: 'operators_seen', indexes: {} };

const LIFETIME_MS = 12 * 60 * 60 * 1000;
const LONGEST_UNUSED_MS = 60 * 60 * 1000;
const USE_NOTED_EVERY_MS = 60_000;
/** A sign-on proves for this time that the operator is there, as typing the password does. */
const PRESENCE_MS = 10 * 60 * 1000;

export interface OpenedSession {
  readonly token: string;
  readonly expires_at: number;
}

/** The sessions of operators. Every method throws StoreUnavailableError. */
@Injectable()
export class OperatorSessions {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly operators: Operators,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'operator_require_totp'>,
  ) {}

  /**
   * Opens a session of twelve hours. It ends after 60 minutes without a request. The operator is the record whose password was
   * checked: a later change of rights ends this session too. The token is shown only here.
   */
  async open(
    { _id: operator_id, rights_version }: Pick<OperatorRecord, '_id' | 'rights_version'>,
    signed_on?: SignedOn,
  ): Promise<OpenedSession> {
    const token = this.ids.secret();
    const used_at = this.clock.now();
    const expires_at = used_at + LIFETIME_MS;
    const _id = hashOf(token);
    const session = { _id, version: 1, operator_id, rights_version, used_at, expires_at };
    const document: SessionRecord = signed_on === undefined ? session : { ...session, signed_on };
    await writeOne(this.records, SESSIONS, { kind: 'insert', document });
    await this.#noteSeen(operator_id, used_at);
    return { token, expires_at };
  }

  /** The operator who has this session. Undefined if the session has ended or never existed. */
  async verify(token: string): Promise<OperatorPrincipal | undefined> {
    const session = await (await this.#collection()).get(hashOf(token));
    // The store deletes expired sessions late and by its own clock.
    const now = this.clock.now();
    if (session === undefined || session.expires_at <= now || session.used_at + LONGEST_UNUSED_MS <= now)
      return undefined;
    const operator = await this.operators.byId(session.operator_id);
    if (operator === undefined || operator.disabled || operator.rights_version !== session.rights_version)
      return undefined;
    if (now - session.used_at >= USE_NOTED_EVERY_MS) await this.#noteUse(session, now);
    return this.#principalOf(operator, session, now);
  }

  #principalOf(operator: OperatorRecord, { signed_on }: SessionRecord, now: number): OperatorPrincipal {
    const { proven_at = null, has_factor = false } = signed_on ?? {};
    // Setting a factor ends all sessions that were opened without it.
    const has_any = operator.second_factor !== null || has_factor;
    const lacks_factor = this.environment.operator_require_totp && !has_any;
    const is_present = proven_at !== null && now - proven_at <= PRESENCE_MS;
    return {
      ...principalOf(operator),
      ...ofPassword(operator, signed_on),
      ...(lacks_factor && { lacks_factor }),
      ...(is_present && { is_present }),
      ...(has_factor && { has_factor }),
    };
  }

  /** Compare-and-set keeps a session ended that was ended meanwhile. If the write fails, the session only ends sooner. */
  async #noteUse(session: SessionRecord, used_at: number): Promise<void> {
    const { version } = session;
    const document = { ...session, version: version + 1, used_at };
    const write = { kind: 'compare_and_set', expected: version, document } as const;
    await writeOne(this.records, SESSIONS, write).catch(() => undefined);
    await this.#noteSeen(session.operator_id, used_at);
  }

  /** Nobody is kept out because this could not be written. */
  async #noteSeen(_id: string, seen_at: number): Promise<void> {
    const write = { kind: 'put', document: { _id, seen_at } } as const;
    await writeOne(this.records, SEEN, write).catch(() => undefined);
  }

  /** When operators were last seen, in milliseconds, by their ids. Who never signed in is absent. */
  async lastSeen(operator_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await (await this.records.collection(SEEN)).getMany(operator_ids);
    return new Map(found.flatMap((seen) => (seen === undefined ? [] : [[seen._id, seen.seen_at]])));
  }

  /** Of a removed operator. */
  async forget(operator_id: string): Promise<void> {
    await writeOne(this.records, SEEN, { kind: 'delete', id: operator_id });
  }

  async end(token: string): Promise<void> {
    await writeOne(this.records, SESSIONS, { kind: 'delete', id: hashOf(token) });
  }

  async endAllOf(operator_id: string): Promise<void> {
    const sessions = await (await this.#collection()).findAny('by_operator', [operator_id]);
    await this.records.write(
      sessions.map(({ _id }) => ({ kind: 'delete', collection: SESSIONS.name, id: _id })),
    );
  }

  /** Ends every session of the operator except the one with this token. That one gets the operator's rights of now. */
  async endOthers(token: string, { _id, rights_version }: OperatorRecord): Promise<void> {
    const own = hashOf(token);
    const sessions = await (await this.#collection()).findAny('by_operator', [_id]);
    await this.records.write(
      sessions.map((session) => {
        const { _id: id, version: expected } = session;
        if (id !== own) return { kind: 'delete', collection: SESSIONS.name, id };
        const document = { ...session, version: expected + 1, rights_version };
        return { kind: 'compare_and_set', collection: SESSIONS.name, expected, document };
      }),
    );
  }

  #collection(): Promise<Collection<SessionRecord>> {
    return this.records.collection(SESSIONS);
  }
}

function ofPassword(
  { password_state }: OperatorRecord,
  signed_on: SignedOn | undefined,
): Pick<OperatorPrincipal, 'must_change_password'> {
  return password_state === 'given' && signed_on === undefined ? { must_change_password: true } : {};
}
