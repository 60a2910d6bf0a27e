import type { Answer, ApiClient, Call } from './api-client.js';
import type { Narrator } from './narrator.js';
import type { RunningService } from './service-process.js';

export const TIMEZONE = 'America/Chicago';
export const LOCATION_CODE = 'LAKE-ST';

/** What every act plays on. */
export class Stage {
  constructor(
    readonly service: RunningService,
    readonly api: ApiClient,
    readonly narrator: Narrator,
    /** The calendar date at the facility. */
    readonly today: string,
  ) {}

  /** Asks the service in front of the reader. @throws UnexpectedAnswerError */
  async ask<T>(call: Call, { status = 200, note = '' } = {}): Promise<Answer<T>> {
    this.narrator.asks(call.method, call.path, note);
    const answer = await this.api.call<T>(call, status);
    this.narrator.answers(answer.status, answer.message);
    return answer;
  }
}

/** The facility as the first act leaves it. */
export interface Facility {
  readonly operator_token: string;
  readonly api_token: string;
  readonly location_id: string;
  readonly zones: { readonly west: string; readonly east: string };
  readonly gate_id: string;
}

/** The tenant whose day it is, and her two units. */
export interface Tenant {
  readonly token: string;
  readonly units: { readonly large: TenantUnit; readonly small: TenantUnit };
}

export interface TenantUnit {
  readonly crm_unit_id: string;
  readonly unit_id: string;
  readonly lock_id: string;
}
