import type { Environment } from '#kernel/environment/environment.js';
import type { RateLimiter, RateState } from '#kernel/rate-limiter.js';

const DAY_SECONDS = 24 * 60 * 60;
const SERVICE = 'service';

export type SmsEnvironment = Pick<Environment, 'sms_limit_company' | 'sms_limit_service'>;

/** The names of a policy by minute and of one by day. */
type PolicyNames = readonly [ofMinute: string, ofDay: string];

interface BudgetNames {
  readonly company: PolicyNames;
  readonly service: PolicyNames;
}

export interface MetLimit {
  readonly policy: string;
  /** Null: the limit of the service. */
  readonly company_id: string | null;
  readonly state: RateState;
}

export type SmsCount =
  /** `met`: limits of companies of which others had some left. */
  | { readonly kind: 'taken'; readonly met: readonly MetLimit[] }
  /** `by`: the limit that ends first. */
  | { readonly kind: 'refused'; readonly met: readonly MetLimit[]; readonly by: MetLimit };

/** A budget of text messages by minute and by day, for a company and for the service (decisions §5). */
export class SmsBudget {
  constructor(
    private readonly limits: RateLimiter,
    { sms_limit_company, sms_limit_service }: SmsEnvironment,
    private readonly names: BudgetNames,
  ) {
    const policies = [
      [names.company, sms_limit_company],
      [names.service, sms_limit_service],
    ] as const;
    for (const [[ofMinute, ofDay], { minute, day }] of policies) {
      limits.define({ name: ofMinute, limit: minute, windowSeconds: 60 });
      limits.define({ name: ofDay, limit: day, windowSeconds: DAY_SECONDS });
    }
  }

  /**
   * Counts a message for each of the companies and for the service. It is refused if all of the companies, or the service, are
   * at a limit. Minutes come first: a message that a minute refuses must not count for the day.
   * @throws StoreUnavailableError
   */
  async count(company_ids: readonly string[]): Promise<SmsCount> {
    const { company, service } = this.names;
    const rounds = [
      [company[0], service[0]],
      [company[1], service[1]],
    ] as const;
    const met: MetLimit[] = [];
    let left = [...new Set(company_ids)];
    for (const [ofCompany, ofService] of rounds) {
      const wanted = left;
      left = [];
      for (const company_id of wanted) {
        const limit = await this.#countOne(ofCompany, company_id);
        if (limit === undefined) left.push(company_id);
        else met.push(limit);
      }
      if (wanted.length > 0 && left.length === 0) return { kind: 'refused', met, by: endingFirst(met) };
      const ofAll = await this.#countOne(ofService, null);
      if (ofAll !== undefined) return { kind: 'refused', met: [...met, ofAll], by: ofAll };
    }
    return { kind: 'taken', met };
  }

  async #countOne(policy: string, company_id: string | null): Promise<MetLimit | undefined> {
    const state = await this.limits.consume(policy, company_id ?? SERVICE);
    return state.allowed ? undefined : { policy, company_id, state };
  }
}

function endingFirst(met: readonly MetLimit[]): MetLimit {
  return met.reduce((first, one) => (one.state.resetSeconds < first.state.resetSeconds ? one : first));
}
