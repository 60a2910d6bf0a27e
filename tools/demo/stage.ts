import type {
  Answer,
  CallOptions,
  Data,
  Inputs,
  Method,
  Operation,
  PathOf,
  StorageAccessClient,
} from 'storage-access-client';
import { connect } from 'storage-access-client';
import { ExpectationError } from './expect.js';
import type { Narrator } from './narrator.js';
import type { RunningService } from './service-process.js';

export const TIMEZONE = 'America/Chicago';
export const LOCATION_CODE = 'LAKE-ST';

/** The expected status, and a note that is printed with the request. */
export interface Telling {
  readonly status?: number;
  readonly note?: string;
}

/** The objects that every act uses. */
export class Stage {
  constructor(
    readonly service: RunningService,
    readonly narrator: Narrator,
    /** The calendar date at the facility. */
    readonly today: string,
  ) {}

  /** A client of the service. @param token absent: no credential */
  caller(token?: string): StorageAccessClient {
    return connect({ baseUrl: this.service.url, token });
  }

  /** Sends a request, and prints the request and its answer. @throws ServiceError, ExpectationError */
  async ask<M extends Method, P extends PathOf<M>>(
    caller: StorageAccessClient,
    [method, path]: readonly [M, P],
    given: Inputs<Operation<M, P>> & CallOptions,
    { status = 200, note = '' }: Telling = {},
  ): Promise<Answer<Data<Operation<M, P>>>> {
    const shown = shownPath(path, given as Filled);
    this.narrator.asks(method, shown, note);
    const answer = await caller.call(method, path, given);
    if (answer.status !== status) {
      throw new ExpectationError(`The answer to ${method} ${shown}`, status, answer.status);
    }
    this.narrator.answers(answer.status, answer.message);
    return answer;
  }
}

interface Filled {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The path as it is sent. */
function shownPath(template: string, { path = {}, query = {} }: Filled): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? filled : `${filled}?${search.join('&')}`;
}

/** The facility after the first act. */
export interface Facility {
  readonly operator: StorageAccessClient;
  readonly pms: StorageAccessClient;
  readonly api_token: string;
  readonly location_id: string;
  readonly zones: { readonly west: string; readonly east: string };
  readonly gate_id: string;
}

/** The tenant of the story, with her two units. */
export interface Tenant {
  readonly app: StorageAccessClient;
  readonly units: { readonly large: TenantUnit; readonly small: TenantUnit };
}

export interface TenantUnit {
  readonly crm_unit_id: string;
  readonly unit_id: string;
  readonly lock_id: string;
}
