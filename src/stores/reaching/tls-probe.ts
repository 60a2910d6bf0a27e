import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { isIP } from 'node:net';

/** Host and port of a server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** What a store's client offers in its TLS handshake. */
export type TlsOffer = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'ALPNProtocols'>;

export type TlsProbe =
  /** No connection, or no answer. */
  | { readonly kind: 'away'; readonly reason: string }
  /** The server ends the connection without a word: it is starting, or it does not use TLS. */
  | { readonly kind: 'closed'; readonly reason: string }
  /** The server answers, but not by TLS. */
  | { readonly kind: 'plain' }
  /** The certificate of the server is not accepted. `code` is OpenSSL's or Node's. */
  | { readonly kind: 'untrusted'; readonly reason: string; readonly code: string }
  /** The server demands a client certificate. */
  | { readonly kind: 'certificate_demanded' }
  /** The handshake failed for another reason. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'tls' };

const LONGEST_PROBE_MS = 2_000;
/** OpenSSL's codes for bytes that are not TLS. */
const NOT_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/;
const CERTIFICATE_REQUIRED_ALERT = 'SSL alert number 116';

/**
 * Tries a TLS handshake, to explain why a store's client cannot use a server: the client itself says only that it cannot
 * connect. Never rejects.
 */
export function probeTls({ host, port }: ServerAddress, offer: TlsOffer = {}): Promise<TlsProbe> {
  const name = host.replace(/^\[|\]$/g, '');
  const servername = isIP(name) === 0 ? { servername: name } : {};
  return new Promise((resolve) => {
    let socket: TLSSocket;
    try {
      socket = connect({ host: name, port, ...offer, ...servername });
    } catch (error) {
      resolve({ kind: 'refused', reason: (error as Error).message });
      return;
    }
    const end = (probe: TlsProbe) => {
      socket.destroy();
      resolve(probe);
    };
    let isSecured = false;
    const endIfSecured = () => {
      if (isSecured) end({ kind: 'tls' });
    };
    socket.setTimeout(LONGEST_PROBE_MS, () =>
      end(isSecured ? { kind: 'tls' } : { kind: 'away', reason: 'no answer' }),
    );
    socket.once('secureConnect', () => {
      isSecured = true;
      // A server of TLS 1.3 looks at the client's certificate after this, and then sends a session, bytes or an alert.
      if (socket.getProtocol() !== 'TLSv1.3') end({ kind: 'tls' });
    });
    for (const event of ['session', 'data', 'end']) socket.on(event, endIfSecured);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const probe = probeOf(error, socket.authorizationError);
      end(isSecured && probe.kind === 'closed' ? { kind: 'tls' } : probe);
    });
  });
}

function probeOf(error: NodeJS.ErrnoException, certificateError: unknown): TlsProbe {
  const code = error.code ?? '';
  // Newer versions of Node add advice about Node's own options after a semicolon.
  const message = error.message === '' ? code : error.message.split(/\n|; /, 1)[0]!;
  if (certificateError) return { kind: 'untrusted', reason: message, code };
  if (error.message.includes(CERTIFICATE_REQUIRED_ALERT)) return { kind: 'certificate_demanded' };
  if (code.startsWith('ERR_SSL_')) {
    if (NOT_TLS.test(code)) return { kind: 'plain' };
    return { kind: 'refused', reason: (error as { reason?: string }).reason ?? message };
  }
  return { kind: code === 'ECONNRESET' || code === 'EPIPE' ? 'closed' : 'away', reason: message };
}
