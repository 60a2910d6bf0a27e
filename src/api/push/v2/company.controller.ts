import { Controller, Get, Inject } from '@nestjs/common';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { presentLocation, presentPolicy } from '#domain/access/index.js';
import { ApiTokens, CompanyClocks, CompanyDirectory } from '#domain/companies/index.js';
import { presentSandbox } from '#api/shapes/index.js';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { Authenticated } from '#web/authentication.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { envelope } from '#web/envelope.js';
import { companyPolicies } from '#web/pipeline/rate-limits.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { LARGEST_BULK } from '../bulk/bulk-entries.js';
import { TOKEN_COMPANY_SCHEMA } from './company.schemas.js';

@Authenticated('api_token')
@Controller('api/v2/company')
export class CompanyController {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly tokens: ApiTokens,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get()
  @Answers({
    id: 'getCompany',
    description: "The token's company, its locations, and the limits that hold for the token.",
    summary: 'Read what the token is, and what it may write',
    data: TOKEN_COMPANY_SCHEMA,
  })
  async read(@Context() { principal }: RequestContext<ApiTokenPrincipal>) {
    const { company_id, id, scope } = principal;
    const [company, tokens, locations] = await Promise.all([
      this.companies.company(company_id),
      this.tokens.list(company_id),
      this.locations.locationsOfCompany(company_id),
    ]);
    const token = tokens.find(({ token_id }) => token_id === id);
    if (company === undefined || token === undefined)
      throw new Error('A token that was admitted is unknown.');
    const { name, created_at, expires_at } = token;
    return envelope({
      company_id,
      name: company.name,
      ...presentSandbox(company, this.clocks),
      token: {
        token_id: id,
        name,
        scope,
        created_at: toTimestamp(created_at),
        expires_at: timestampOrNull(expires_at),
      },
      locations: locations.map((location) => ({
        ...presentLocation(location),
        policy: presentPolicy(location.policy),
      })),
      limits: { units_per_bulk: LARGEST_BULK, requests: this.#requests() },
    });
  }

  /** Policies have the same names as in the header `RateLimit-Policy`. */
  #requests() {
    return companyPolicies(this.environment).map(({ name, limit, windowSeconds }) => {
      return { policy: name, limit, window_seconds: windowSeconds };
    });
  }
}
