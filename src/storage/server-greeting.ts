import { connect, type ConnectionOptions } from 'node:tls';
import { isIP } from 'node:net';

/** Host and port of a server. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

/** The answer of a port to a TLS greeting. */
export type Greeting =
  | { readonly kind: 'away'; readonly reason: string }
  /** TLS, with a certificate that cannot be verified. */
  | { readonly kind: 'untrusted'; readonly reason: string }
  | { readonly kind: 'tls' }
  | { readonly kind: 'plain' };

/** Milliseconds. */
const LONGEST_GREETING = 2_000;
/** Error codes of the system, without any connection. */
const NETWORK_ERROR =
  /^E(CONNREFUSED|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|ADDRNOTAVAIL)$/;
/** Error codes of OpenSSL and Node, after the handshake reached the certificate. */
const CERTIFICATE_ERROR = /CERT|UNABLE_TO_|SIGNATURE|ALTNAME|ISSUER|CRL|HOSTNAME_MISMATCH/;

/**
 * Greets a port as a TLS client does, for a line that says why a store's client cannot use it: clients tell of a port
 * that speaks otherwise than they do only that it cannot be reached. Never rejects.
 */
export function greet({ host, port }: ServerPlace, ca?: ConnectionOptions['ca']): Promise<Greeting> {
  return new Promise((resolve) => {
    const name = host.replace(/^\[|\]$/g, '');
    const socket = connect({
      host: name,
      port,
      ALPNProtocols: ['h2'],
      ...(ca === undefined ? {} : { ca }),
      ...(isIP(name) === 0 ? { servername: name } : {}),
    });
    const end = (greeting: Greeting) => {
      socket.destroy();
      resolve(greeting);
    };
    socket.setTimeout(LONGEST_GREETING, () => end({ kind: 'away', reason: 'no answer' }));
    socket.once('secureConnect', () => end({ kind: 'tls' }));
    socket.on('error', (error: NodeJS.ErrnoException) => end(greetingOf(error)));
  });
}

function greetingOf(error: NodeJS.ErrnoException): Greeting {
  const code = error.code ?? '';
  // Newer versions of Node add, behind a semicolon, how to start Node itself.
  const reason = error.message === '' ? code : error.message.split(/\n|; /, 1)[0]!;
  if (NETWORK_ERROR.test(code)) return { kind: 'away', reason };
  return CERTIFICATE_ERROR.test(code) ? { kind: 'untrusted', reason } : { kind: 'plain' };
}
