import { createHash } from 'node:crypto';
import {
  Body,
  type CanActivate,
  ConflictException,
  Controller,
  type ExecutionContext,
  Get,
  Headers,
  Inject,
  Injectable,
  NotFoundException,
  Param,
  Patch,
  Put,
  Req,
  Res,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { PeerBulk, type PeerEntry, PeerFacts, PeerMoveIn } from './peer.dto.js';
import { PeerStore } from './peer-store.js';
import {
  hashOf,
  KeyReusedError,
  NoUnitError,
  type PeerKey,
  type PeerWrite,
  PeerWrites,
  stated,
} from './peer-writes.js';

/** The tenant of each token, by the token's hash. Null: the token of the integrator. */
export const TOKENS = Symbol('tokens');
export type Tokens = ReadonlyMap<string, string | null>;

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

type Authenticated = Request & { tenant?: string | null };

/** Checks tokens by their hashes. It reads them from memory, which costs less than the service's check. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(@Inject(TOKENS) private readonly tokens: Tokens) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Authenticated>();
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    const tenant = scheme === 'Bearer' ? this.tokens.get(tokenHash(token ?? '')) : undefined;
    if (tenant === undefined) throw new UnauthorizedException();
    request.tenant = tenant;
    return true;
  }
}

@Controller('api/v2')
@UseGuards(BearerGuard)
export class PeerController {
  constructor(
    private readonly writes: PeerWrites,
    private readonly store: PeerStore,
  ) {}

  @Put('units/:key/tenancy')
  async moveIn(
    @Param('key') crm_unit_id: string,
    @Body() body: PeerMoveIn,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { pms_tenant_id, move_in_date, ledger_id, unit_name } = body;
    const facts = {
      occupied: true,
      pms_tenant_id,
      move_in_date,
      ...(ledger_id === undefined ? {} : { ledger_id }),
    };
    const write = { crm_unit_id, unit_name, occupied: true, facts, person: { pms_tenant_id } };
    const [result] = await answered(this.writes.write([write], keyOf(key, ['PUT', crm_unit_id, body])));
    if (result!.change === 'created') response.status(201);
    return { message: 'Request successful.', data: result };
  }

  @Patch('units/:key')
  async changeFacts(
    @Param('key') crm_unit_id: string,
    @Body() body: PeerFacts,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<object> {
    const write = { crm_unit_id, facts: factsOf(body) };
    const [data] = await answered(this.writes.write([write], keyOf(key, ['PATCH', crm_unit_id, body])));
    return { message: 'Request successful.', data };
  }

  @Patch('units')
  async bulk(@Body() body: PeerBulk, @Headers('idempotency-key') key: string | undefined): Promise<object> {
    const results = await answered(this.writes.write(body.units.map(writeOf), keyOf(key, ['PATCH', body])));
    const count = (change: string) => results.filter((result) => result.change === change).length;
    const [created, updated, unchanged] = [count('created'), count('updated'), count('unchanged')];
    const data = { total: results.length, created, updated, unchanged, errors: [] };
    return { message: 'Request successful.', data };
  }

  @Get('units/:key')
  async unit(@Param('key') crm_unit_id: string): Promise<object> {
    return { message: 'Request successful.', data: await answered(this.writes.explain(crm_unit_id)) };
  }

  @Get('tenant/access')
  async tenantAccess(
    @Req() request: Authenticated,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const tenant = await this.store.tenant(request.tenant ?? '');
    if (tenant === undefined) throw new NotFoundException();
    const tag = `"${tenant.version}"`;
    response.setHeader('ETag', tag);
    if (known === tag) return void response.status(304);
    const units = tenant.units.map((unit) => ({
      ...unit,
      locks: tenant.locks.filter(({ crm_unit_id }) => crm_unit_id === unit.crm_unit_id),
    }));
    const { tenant_id, first_name, last_name } = tenant;
    return { message: 'Request successful.', data: { tenant: { tenant_id, first_name, last_name }, units } };
  }
}

function keyOf(key: string | undefined, request: readonly unknown[]): PeerKey | undefined {
  return key === undefined ? undefined : { key, hash: hashOf(request) };
}

function factsOf(body: PeerFacts): PeerWrite['facts'] {
  const { balance_due, paid_through_date, pms_lockout, pms_lock_exempt, pms_auction } = body;
  const { pms_unrentable, pms_status_raw } = body;
  const cents = balance_due === undefined ? undefined : Math.round(balance_due * 100);
  const named = {
    paid_through_date,
    pms_lockout,
    pms_lock_exempt,
    pms_auction,
    pms_unrentable,
    pms_status_raw,
  };
  return stated({ ...named, balance_due: cents });
}

function writeOf(entry: PeerEntry): PeerWrite {
  const { crm_unit_id, unit_name, occupied, tenant, move_in_date = null, ledger_id } = entry;
  if (!occupied) return { crm_unit_id, unit_name, occupied, facts: factsOf(entry) };
  const pms_tenant_id = (tenant?.pms_tenant_id ?? entry.pms_tenant_id)!;
  const tenancy = {
    occupied,
    pms_tenant_id,
    move_in_date,
    ...(ledger_id === undefined ? {} : { ledger_id }),
  };
  const person = tenant ?? { pms_tenant_id };
  return { crm_unit_id, unit_name, occupied, facts: { ...tenancy, ...factsOf(entry) }, person };
}

async function answered<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NoUnitError) throw new NotFoundException();
    if (error instanceof KeyReusedError) throw new ConflictException();
    throw error;
  }
}
