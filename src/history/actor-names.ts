import { Inject, Injectable, Optional } from '@nestjs/common';
import { CompanyDirectory, type CompanyDocument } from '../companies/index.js';
import type { Actor } from '../log/domain-event.js';
import { TenantAccounts } from '../tenants/index.js';

/** Names of operators, for the history. app.module.ts binds it. */
export interface OperatorNames {
  /** By id; an operator who is gone is absent. @throws StoreUnavailableError */
  namesOf(operator_ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const OPERATOR_NAMES = Symbol('OperatorNames');

/** Names of pull sources, for the history. app.module.ts binds it. */
export interface PullSourceNames {
  /** By id. @throws StoreUnavailableError */
  namesOf(pull_source_ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const PULL_SOURCE_NAMES = Symbol('PullSourceNames');

/** The name of an actor now. Null: the actor is gone, was erased, or never had a name. */
export type NameOf = (actor: Actor) => string | null;

/** The names of who wrote: events hold ids alone, so that a name can change and be erased. */
@Injectable()
export class ActorNames {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly tenants: TenantAccounts,
    @Optional() @Inject(OPERATOR_NAMES) private readonly operators?: OperatorNames,
    @Optional() @Inject(PULL_SOURCE_NAMES) private readonly pullSources?: PullSourceNames,
  ) {}

  /**
   * One read for each kind of actor that there is.
   * @param company its document, where it is at hand, or its id
   * @throws StoreUnavailableError
   */
  async of(actors: readonly Actor[], company: CompanyDocument | string | undefined): Promise<NameOf> {
    const idsOf = (kind: Actor['kind']) => [
      ...new Set(actors.filter((actor) => actor.kind === kind).map(({ id }) => id)),
    ];
    const [api_token, tenant, operator, pull] = await Promise.all([
      this.#tokens(idsOf('api_token'), company),
      this.#tenants(idsOf('tenant')),
      named(this.operators, idsOf('operator')),
      named(this.pullSources, idsOf('pull')),
    ]);
    const names: Partial<Record<Actor['kind'], ReadonlyMap<string, string | null>>> = {
      api_token,
      tenant,
      operator,
      pull,
    };
    return ({ kind, id }) => names[kind]?.get(id) ?? null;
  }

  /** Revoked ones have a name, too. */
  async #tokens(
    ids: readonly string[],
    company: CompanyDocument | string | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const known = typeof company === 'string' ? await this.companies.company(company) : company;
    return new Map(known?.api_tokens.map(({ token_id, name }) => [token_id, name]));
  }

  async #tenants(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const accounts = ids.length === 0 ? [] : await this.tenants.byTenantId(ids);
    return new Map(accounts.map((account, place) => [ids[place]!, account?.name ?? null]));
  }
}

async function named(
  names: OperatorNames | PullSourceNames | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return ids.length === 0 || names === undefined ? new Map() : names.namesOf(ids);
}
