import { Controller, Get, Inject, Optional, Req, Res } from '@nestjs/common';
import { within } from '../base/within.js';
import { toTimestamp } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { Public } from './authentication.js';
import { envelope, type Envelope } from './pipeline/answer.js';
import { SERVICE_VERSION } from '../config/service-version.js';
import { PROJECTION_LAG, READINESS_CHECKS } from './health.js';
import { contextOf } from './request-context.js';
import { TENANT_PREFIXES } from './versions.js';
import type { Request, Response } from 'express';
import type { Clock } from '../config/clock.js';
import type { ProjectionLag, ReadinessCheck } from './health.js';
import { HEALTH_SCHEMA, READINESS_SCHEMA } from './openapi/health.schemas.js';
import { Answers } from './openapi/answers.js';

/** Milliseconds. A dependency that does not answer in this time counts as unreachable. */
const PATIENCE = 2_000;

interface DependencyState {
  readonly status: 'ok' | 'unavailable';
  readonly detail?: string;
}

interface ProjectionState extends DependencyState {
  readonly lag: number | null;
}

interface Readiness {
  readonly status: 'ok' | 'unavailable';
  readonly dependencies: Readonly<Record<string, DependencyState>>;
  readonly projection: ProjectionState;
}

/** The answers if the state of the views is unknown. They contain no error text, which may name hosts. */
const UNKNOWN = {
  late: unknown('The lag of the views was not known in time.'),
  failed: unknown('The lag of the views could not be read. The log has the cause.'),
};

function unknown(detail: string): ProjectionState {
  return { status: 'unavailable', lag: null, detail };
}

/** Answers whether the process runs, and whether it can work (decisions §9). */
@Public()
@Controller(['', ...TENANT_PREFIXES].map((prefix) => `${prefix}/health`))
export class HealthController {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() @Inject(READINESS_CHECKS) private readonly checks: ReadinessCheck[] = [],
    @Optional() @Inject(PROJECTION_LAG) private readonly projection?: ProjectionLag,
  ) {}

  @Get()
  @Answers({
    id: 'checkHealth',
    description: '200 while the process serves. It asks no store.',
    summary: 'Ask whether the process serves',
    message: 'OK',
    data: HEALTH_SCHEMA,
  })
  alive(): Envelope<object> {
    const time = toTimestamp(this.clock.now());
    return envelope({ status: 'ok', service: 'storage-access', version: SERVICE_VERSION, time }, 'OK');
  }

  @Get('ready')
  @Answers({
    id: 'checkReadiness',
    description: '200 if the stores answer and the views keep up, 503 otherwise.',
    summary: 'Ask whether it can work',
    message: 'OK',
    data: READINESS_SCHEMA,
    errors: ['not_ready'],
  })
  async ready(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<Readiness> & { readonly code?: string }> {
    contextOf(request)!.deadline.isBounded = true;
    const [states, projection] = await Promise.all([
      Promise.all(this.checks.map((check) => this.stateOf(check))),
      this.projectionState(),
    ]);
    const ready = [projection, ...states].every(({ status }) => status === 'ok');
    if (!ready) response.status(503).setHeader('Retry-After', '1');
    const dependencies = Object.fromEntries(
      states.map((state, index) => [this.checks[index]?.name ?? '', state]),
    );
    const data: Readiness = { status: ready ? 'ok' : 'unavailable', dependencies, projection };
    return ready ? envelope(data, 'OK') : { ...envelope(data, 'Not ready.'), code: 'not_ready' };
  }

  private projectionState(): Promise<ProjectionState> {
    const look = this.lookAtProjection().catch(() => UNKNOWN.failed);
    return within(this.clock, PATIENCE, look).catch(() => UNKNOWN.late);
  }

  private async lookAtProjection(): Promise<ProjectionState> {
    const { lag = null, stalled = false, detail } = (await this.projection?.state()) ?? {};
    return { status: stalled ? 'unavailable' : 'ok', lag, ...(detail !== undefined && { detail }) };
  }

  /** Does not answer the text of errors, which may name hosts. */
  private async stateOf(check: ReadinessCheck): Promise<DependencyState> {
    try {
      const { ok, detail } = await within(this.clock, PATIENCE, check.check());
      return { status: ok ? 'ok' : 'unavailable', ...(detail !== undefined && { detail }) };
    } catch {
      return { status: 'unavailable' };
    }
  }
}
