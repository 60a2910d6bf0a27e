import { Inject, Injectable, Optional } from '@nestjs/common';
import { CompanyDirectory, type CompanyDocument } from '#domain/companies/index.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { isOwnId, type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';

/** A port that finds names by ids. A removed thing is absent. */
export interface NameSource {
  /** @throws StoreUnavailableError */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Injection tokens of a {@link NameSource} for each kind of actor. Without one, actors of that kind have no names. */
export const OPERATOR_NAMES = Symbol('OperatorNames');
export const PULL_SOURCE_NAMES = Symbol('PullSourceNames');

export type NameReader = 'operator' | 'integrator';

/** The name of an actor now. Null: the actor was removed or erased, or has no name. */
export type NameOf = (actor: Actor) => string | null;

/** Finds the names of actors. Events hold only ids, so that a name can change and be erased. */
@Injectable()
export class ActorNames {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly tenants: TenantAccounts,
    @Optional() @Inject(OPERATOR_NAMES) private readonly operators?: NameSource,
    @Optional() @Inject(PULL_SOURCE_NAMES) private readonly pullSources?: NameSource,
  ) {}

  /**
   * Reads once for each kind of actor.
   * @param company its document or its id
   * @param reader whoever holds an API token sees no operator, whose name is the e-mail address, and no guest
   * @throws StoreUnavailableError
   */
  async findNames(
    actors: readonly Actor[],
    company: CompanyDocument | string | undefined,
    reader: NameReader = 'operator',
  ): Promise<NameOf> {
    const idsOf = (kind: Actor['kind']) => [
      ...new Set(actors.filter((actor) => actor.kind === kind).map(({ id }) => id)),
    ];
    const [api_token, tenant, operator, pull] = await Promise.all([
      this.#tokens(idsOf('api_token'), company),
      this.#tenants(idsOf('tenant'), reader),
      reader === 'operator' ? named(this.operators, idsOf('operator')) : undefined,
      named(this.pullSources, idsOf('pull')),
    ]);
    const names: Partial<Record<Actor['kind'], ReadonlyMap<string, string | null> | undefined>> = {
      api_token,
      tenant,
      operator,
      pull,
    };
    return ({ kind, id }) => names[kind]?.get(id) ?? null;
  }

  /** The names of tokens, revoked ones too. */
  async #tokens(
    ids: readonly string[],
    company: CompanyDocument | string | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const known = typeof company === 'string' ? await this.companies.company(company) : company;
    return new Map(known?.api_tokens.map(({ token_id, name }) => [token_id, name]));
  }

  async #tenants(ids: readonly string[], reader: NameReader): Promise<ReadonlyMap<string, string | null>> {
    const accounts = ids.length === 0 ? [] : await this.tenants.byTenantId(ids);
    const shown = accounts.filter((one) => one !== undefined).filter((one) => isShownTo(reader, one));
    return new Map(shown.map(({ tenant_id, name }) => [tenant_id, name]));
  }
}

function isShownTo(reader: NameReader, { pms_tenant_id }: TenantAccount): boolean {
  return reader === 'operator' || !isOwnId(pms_tenant_id);
}

async function named(
  names: NameSource | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return ids.length === 0 || names === undefined ? new Map() : names.namesOf(ids);
}
