import { Controller, Get, Inject, Optional, Req } from '@nestjs/common';
import { within } from '#kernel/within.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { Public } from './authentication.js';
import { envelope, type Envelope } from './envelope.js';
import { SERVICE_VERSION } from '#kernel/service-version.js';
import { ProjectionLag, READINESS_CHECKS, type ReadinessCheck } from './health.js';
import { Reply } from './reply.js';
import { contextOf } from './request-context.js';
import { TENANT_PREFIXES } from './versions.js';
import type { Request } from 'express';
import type { Clock } from '#kernel/clock.js';
import {
  type DependencyState,
  HEALTH_SCHEMA,
  type ProjectionState,
  type Readiness,
  READINESS_SCHEMA,
} from './openapi/health.schemas.js';
import { Answers } from './openapi/answers.js';

/** A dependency that does not answer in this time counts as unreachable. */
const CHECK_TIMEOUT_MS = 2_000;

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
    @Optional() private readonly projection?: ProjectionLag,
  ) {}

  @Get()
  @Answers({
    id: 'checkHealth',
    description: '200 while the process serves. It asks no store.',
    summary: 'Ask whether the process serves',
    message: 'OK',
    data: HEALTH_SCHEMA,
  })
  alive() {
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
  async ready(@Req() request: Request): Promise<Envelope<Readiness> | Reply<Envelope<Readiness>>> {
    contextOf(request)!.deadline.unbind();
    const [states, projection] = await Promise.all([
      Promise.all(this.checks.map((check) => this.#stateOf(check))),
      this.#projectionState(),
    ]);
    const ready = [projection, ...states].every(({ status }) => status === 'ok');
    const dependencies = Object.fromEntries(
      states.map((state, index) => [this.checks[index]?.name ?? '', state]),
    );
    const data: Readiness = { status: ready ? 'ok' : 'unavailable', dependencies, projection };
    if (ready) return envelope(data, 'OK');
    const notReady = { ...envelope(data, 'Not ready.'), code: 'not_ready' };
    return new Reply(notReady, { status: 503, headers: { 'Retry-After': '1' } });
  }

  #projectionState(): Promise<ProjectionState> {
    const look = this.#lookAtProjection().catch(() => UNKNOWN.failed);
    return within(this.clock, CHECK_TIMEOUT_MS, look).catch(() => UNKNOWN.late);
  }

  async #lookAtProjection(): Promise<ProjectionState> {
    const { lag = null, stalled = false, detail } = (await this.projection?.state()) ?? {};
    return { status: stalled ? 'unavailable' : 'ok', lag, ...(detail !== undefined && { detail }) };
  }

  /** Does not answer the text of errors, which may name hosts. */
  async #stateOf(check: ReadinessCheck): Promise<DependencyState> {
    try {
      const { ok, detail } = await within(this.clock, CHECK_TIMEOUT_MS, check.check());
      return { status: ok ? 'ok' : 'unavailable', ...(detail !== undefined && { detail }) };
    } catch {
      return { status: 'unavailable' };
    }
  }
}
