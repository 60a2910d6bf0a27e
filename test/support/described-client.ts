import { connect, type StorageAccessClient } from 'storage-access-client';
import type { AnswerCheck, Method } from './http-client.js';

/** The client of the package against a service on this machine: every answer is held to the description, and nothing is sent twice by itself. */
export function describedClient(
  port: number,
  token: string | undefined,
  described: AnswerCheck,
): StorageAccessClient {
  const fetchChecked = async (request: Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(request, init);
    const text = await response.clone().text();
    const { pathname, search } = new URL(request.url);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const faults = described.faultsOf(request.method.toLowerCase() as Method, pathname + search, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: isJson ? JSON.parse(text) : undefined,
    });
    // Not by throwing: to the client that would be an answer that did not come.
    return faults.length === 0 ? response : new Response(faults.join('\n'), { status: 599 });
  };
  return connect({
    baseUrl: `http://127.0.0.1:${port}`,
    token,
    retries: { attempts: 1 },
    environment: { fetch: fetchChecked },
  });
}
