import type { Attempt } from './core/delivery.js';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** The port through which messages are sent. */
export abstract class WebhookHttp {
  /** Sends a message once. It never throws: without an answer, `status` is null and `answer` says why. */
  abstract sendMessage(request: WebhookRequest): Promise<Omit<Attempt, 'at'>>;
  /** True if this host leads to an address that is never connected to. False if its name cannot be resolved now. */
  abstract isRefused(url: string): Promise<boolean>;
  abstract close(): Promise<void>;
}
