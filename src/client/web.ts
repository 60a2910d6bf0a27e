/**
 * The web's types as the user's compiler has them, from `dom` or from Node. Where it has neither, as in a phone's app, as
 * much of them as the client has to do with: its declarations need no library.
 */
type Web<Name extends string, Otherwise> =
  typeof globalThis extends Readonly<Record<Name, { readonly prototype: infer Known }>> ? Known : Otherwise;

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
