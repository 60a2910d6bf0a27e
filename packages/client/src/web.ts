/**
 * Types of the web, as the user's compiler knows them from `dom` or Node. If it knows neither, as for some apps, the types
 * below contain only what the client uses.
 */
type Web<Name extends string, Fallback> =
  typeof globalThis extends Readonly<Record<Name, { readonly prototype: infer Known }>> ? Known : Fallback;

export type WebHeaders = Web<'Headers', { get(name: string): string | null; has(name: string): boolean }>;

export type WebSignal = Web<'AbortSignal', { readonly aborted: boolean; readonly reason: unknown }>;

export type WebRequest = Web<
  'Request',
  { readonly method: string; readonly url: string; readonly headers: WebHeaders; readonly signal: WebSignal }
>;

export type WebResponse = Web<
  'Response',
  {
    readonly status: number;
    readonly statusText: string;
    readonly headers: WebHeaders;
    arrayBuffer(): Promise<ArrayBuffer>;
  }
>;
