import { Controller, Get, Param } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { envelope } from '#web/envelope.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PageQuery } from '#web/validation/page-query.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { NOTICE_PREVIEW_SCHEMA, TENANT_NOTICES_SCHEMA } from './notices.schemas.js';
import { ToldNotices } from './told-notices.js';

/** Texts to tenants (decisions §11). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator')
export class NoticesController {
  constructor(private readonly told: ToldNotices) {}

  @Get('units/:unit_id/notices')
  @Answers({
    id: 'listUnitNotices',
    description: 'Of the last year, also those to earlier tenants of the unit.',
    summary: 'List the texts to tenants about a unit',
    data: TENANT_NOTICES_SCHEMA,
    errors: ['unit_not_found'],
  })
  async ofUnit(@Param('unit_id') unit_id: string, @ValidQuery(PageQuery) query: PageQuery) {
    return envelope(await this.told.listOfUnit(unit_id, query));
  }

  @Get('tenants/:tenant_id/notices')
  @Answers({
    id: 'listTenantNotices',
    description: 'Of the last year. An erasure removes the texts, and leaves what they were about.',
    summary: 'List the texts to a tenant',
    data: TENANT_NOTICES_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async ofTenant(@Param('tenant_id') tenant_id: string, @ValidQuery(PageQuery) query: PageQuery) {
    return envelope(await this.told.listOfTenant(tenant_id, query));
  }

  @Costly()
  @Get('locations/:location_id/notices')
  @Answers({
    id: 'previewNotices',
    description: 'Nothing is sent. `PATCH` of the location switches texts on.',
    summary: 'Read the texts of a location, and how many tenants would have got them',
    data: NOTICE_PREVIEW_SCHEMA,
    errors: ['location_not_found'],
  })
  async preview(@Param('location_id') location_id: string, @Context() { deadline }: OperatorContext) {
    return envelope(await this.told.previewTexts(location_id, deadline));
  }
}
