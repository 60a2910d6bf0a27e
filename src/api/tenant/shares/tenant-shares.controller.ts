import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { envelope } from '#web/envelope.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { HoldsSecrets, Idempotent, RateLimited } from '#web/route-options.js';
import { ValidBody } from '#web/validation/parameters.js';
import { OwnShareList } from './own-share-list.js';
import { ShareAcceptance } from './share-acceptance.js';
import { ShareOffers } from './share-offers.js';
import { AcceptanceBody, NewShareBody } from './shares.dto.js';
import {
  ACCEPTED_SHARE_SCHEMA,
  ENDED_SHARE_SCHEMA,
  OFFERED_SHARE_SCHEMA,
  TENANT_SHARES_SCHEMA,
} from './shares.schemas.js';

type TenantContext = RequestContext<TenantPrincipal>;

/** Writes of a tenant about shares. */
const WRITES = { name: 'tenant-shares', limit: 60, windowSeconds: 60 };

/** Shares that tenants give by themselves (decisions §13). */
@Authenticated('tenant')
@RateLimited(WRITES.name)
@Controller('api/v2/tenant/shares')
export class TenantSharesController {
  constructor(
    private readonly offers: ShareOffers,
    private readonly acceptance: ShareAcceptance,
    private readonly list: OwnShareList,
    limits: RateLimits,
  ) {
    limits.define(WRITES);
  }

  @Get()
  @Answers({
    id: 'listTenantShares',
    description:
      'What the tenant shares by itself, with the codes that are still to be told, and invitations to the tenant. A share that was accepted is among the units of `GET /tenant/access`. Counts as a read of it.',
    summary: 'List the shares that the tenant gives, and invitations',
    data: TENANT_SHARES_SCHEMA,
  })
  async read(@Context() { principal }: TenantContext) {
    return envelope(await this.list.readShares(principal));
  }

  @Idempotent()
  @HoldsSecrets('code')
  @Post()
  @HttpCode(201)
  @Answers({
    id: 'offerShare',
    description:
      'Where the location lets tenants share (`may_share`), and only for the primary tenant. The person gets a text that names the place, signs in with the number, and enters the code that the tenant tells. Until then nothing opens. At most 5 people a unit, invited ones included. 5 invitations of a tenant, and 1 to a number, in 24 hours. A new one to the same person replaces the one before. The answer never tells whether the number is known.',
    summary: 'Invite somebody to share a unit',
    data: OFFERED_SHARE_SCHEMA,
    errors: ['sharing_off'],
  })
  async offer(@ValidBody(NewShareBody) body: NewShareBody, @Context() context: TenantContext) {
    return envelope(await this.offers.offerShare(body, context));
  }

  @Idempotent()
  @Post(':share_id/accept')
  @HttpCode(200)
  @Answers({
    id: 'acceptShare',
    description:
      'By the person who was invited. Five wrong codes close the invitation. The tenant is told by a text that it was accepted.',
    summary: 'Accept an invitation by its code',
    data: ACCEPTED_SHARE_SCHEMA,
    errors: ['share_not_found', 'sharing_off', 'already_shared'],
  })
  async accept(
    @Param('share_id') share_id: string,
    @ValidBody(AcceptanceBody) body: AcceptanceBody,
    @Context() context: TenantContext,
  ) {
    return envelope(await this.acceptance.acceptShare(share_id, body, context));
  }

  @Delete(':share_id')
  @Answers({
    id: 'endTenantShare',
    description:
      'By the tenant who gave it, or by the person who has it or is invited. A key given out before opens an offline lock until it ends.',
    summary: 'End a share, or an invitation',
    data: ENDED_SHARE_SCHEMA,
    errors: ['share_not_found'],
  })
  async end(@Param('share_id') share_id: string, @Context() context: TenantContext) {
    return envelope(await this.list.endShare(share_id, context));
  }
}
