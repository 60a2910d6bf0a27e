import { connect, type ConnectionOptions } from 'node:tls';
import { isIP } from 'node:net';

/** Host and port of a server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** The result of a TLS handshake: no answer, a certificate that cannot be verified, TLS, or a server without TLS. */
export type TlsProbe =
  | { readonly kind: 'away'; readonly reason: string }
  | { readonly kind: 'untrusted'; readonly reason: string }
  | { readonly kind: 'tls' }
  | { readonly kind: 'plain' };

/** Milliseconds. */
const LONGEST_PROBE = 2_000;
/** Codes of system errors: there was no connection. */
const NETWORK_ERROR =
  /^E(CONNREFUSED|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|ADDRNOTAVAIL)$/;
/** Codes of OpenSSL and Node: the handshake reached the certificate. */
const CERTIFICATE_ERROR = /CERT|UNABLE_TO_|SIGNATURE|ALTNAME|ISSUER|CRL|HOSTNAME_MISMATCH/;

/**
 * Tries a TLS handshake, to explain why a store's client cannot use a server: the client itself says only that it cannot
 * connect. Never rejects.
 */
export function probeTls({ host, port }: ServerAddress, ca?: ConnectionOptions['ca']): Promise<TlsProbe> {
  return new Promise((resolve) => {
    const name = host.replace(/^\[|\]$/g, '');
    const socket = connect({
      host: name,
      port,
      ALPNProtocols: ['h2'],
      ...(ca === undefined ? {} : { ca }),
      ...(isIP(name) === 0 ? { servername: name } : {}),
    });
    const end = (probe: TlsProbe) => {
      socket.destroy();
      resolve(probe);
    };
    socket.setTimeout(LONGEST_PROBE, () => end({ kind: 'away', reason: 'no answer' }));
    socket.once('secureConnect', () => end({ kind: 'tls' }));
    socket.on('error', (error: NodeJS.ErrnoException) => end(probeOf(error)));
  });
}

function probeOf(error: NodeJS.ErrnoException): TlsProbe {
  const code = error.code ?? '';
  // Newer versions of Node add advice about Node's own options after a semicolon.
  const reason = error.message === '' ? code : error.message.split(/\n|; /, 1)[0]!;
  if (NETWORK_ERROR.test(code)) return { kind: 'away', reason };
  return CERTIFICATE_ERROR.test(code) ? { kind: 'untrusted', reason } : { kind: 'plain' };
}
