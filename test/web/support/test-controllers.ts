import {
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { InvalidCursorError } from '#kernel/cursor.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { Authenticated, Public } from '#web/authentication.js';
import { ForOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Reply } from '#web/reply.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Idempotent, NotImplemented, RateLimited } from '#web/route-options.js';
import { IsDateOnly, IsMoney } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';

class MoveIn {
  @IsString() @Length(1, LONGEST_TEXT) pms_tenant_id!: string;
  @IsDateOnly() move_in_date!: string;
  @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) ledger_id?: string | null;
  @ValidateIf(isGiven) @IsMoney() balance_due?: number;
}

class PageQuery {
  @ValidateIf(isGiven) @IsInt() @Min(1) @Max(500) limit?: number;
  @ValidateIf(isGiven) @IsString() @MaxLength(LONGEST_TEXT) cursor?: string;
  @ValidateIf(isGiven) @IsBoolean() dry_run?: boolean;
}

/** Calls of the handlers, so that a test can count them and hold one up. */
export class Work {
  runs: RequestContext[] = [];
  gate: Promise<void> = Promise.resolve();
  failure: Error | undefined;

  async run(context: RequestContext): Promise<void> {
    this.runs.push({ ...context });
    await context.reservation?.reserve();
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
  }
}

@Authenticated('api_token')
@Controller('api/v2/things')
export class ThingsController {
  constructor(private readonly work: Work) {}

  @Put(':id')
  @Idempotent()
  @RateLimited('pms-write')
  async put(@Param('id') id: string, @ValidBody(MoveIn) body: MoveIn, @Context() context: RequestContext) {
    await this.work.run(context);
    if (id === 'unknown') throw errorOf('unit_not_found');
    return new Reply(envelope({ id, body, run: this.work.runs.length }), { status: 201 });
  }

  @Patch()
  @Idempotent()
  @RateLimited('pms-bulk')
  async bulk(@Context() context: RequestContext) {
    await this.work.run(context);
    return envelope({ run: this.work.runs.length }, 'Sync completed.');
  }

  @Delete(':id')
  @Idempotent()
  async remove(@Context() context: RequestContext) {
    await this.work.run(context);
    return envelope({ run: this.work.runs.length });
  }

  @Get()
  list(@ValidQuery(PageQuery) query: PageQuery) {
    return envelope(query);
  }

  @Get('whoami')
  whoami(@Context() context: RequestContext) {
    return envelope(context);
  }
}

@Controller('api/operator')
export class OperatorController {
  @ForOperators('auditor')
  @Get('me')
  me(@Context() context: RequestContext) {
    return envelope({ actor: context.actor });
  }

  @ForOperators('auditor', 'api_token')
  @Get('policy')
  policy(@Context() context: RequestContext) {
    return envelope({ actor: context.actor });
  }
}

@Public()
@Controller(['faults', 'api/v1/pms', 'api/things'])
export class FaultsController {
  @Get('bug')
  bug() {
    throw new Error('secret detail at /home/somebody');
  }

  @Authenticated('api_token')
  @NotImplemented()
  @Get('later')
  later(): void {}

  @Get('store')
  store() {
    throw new StoreUnavailableError('mongodb://internal is down', true);
  }

  @Get('cursor')
  cursor() {
    throw new InvalidCursorError();
  }

  @Get('phone')
  phone() {
    throw errorOf('phone_unknown');
  }

  @Get('units/:id')
  unit() {
    return envelope();
  }

  @Get('page')
  @Header('Cache-Control', 'private, no-cache')
  page() {
    return envelope();
  }

  @Post('echo')
  @HttpCode(200)
  echo(@ValidBody(MoveIn) body: MoveIn) {
    return envelope(body);
  }
}
