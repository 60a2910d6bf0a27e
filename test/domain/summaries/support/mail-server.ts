import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { testCertificate } from '../../../support/tls.js';

/** A mail as the server has taken it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Head and body as they came, without line breaks that the encoding added. */
  readonly raw: string;
  readonly isOverTls: boolean;
  readonly user: string | undefined;
}

export interface MailServerOptions {
  /** `none`: STARTTLS is refused. `start`: TLS from the first byte. */
  readonly tls?: 'none' | 'starttls' | 'start';
  /** Demands this user and password. */
  readonly credentials?: { readonly user: string; readonly pass: string };
}

/** What the server does with a step of the next mails. */
export interface Refusal {
  readonly step: 'sender' | 'recipient' | 'data';
  readonly code: number;
}

/** A real SMTP server on a port of its own. */
export class MailServer {
  readonly mails: TakenMail[] = [];
  refusal: Refusal | undefined;
  /** Cuts the connection instead of the answer to a mail, which was taken. */
  isCut = false;
  /** Called before a mail is answered. */
  hold: () => Promise<void> = () => Promise.resolve();
  #server!: SMTPServer;
  port = 0;

  private constructor(private readonly options: MailServerOptions) {}

  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await server.open();
    return server;
  }

  /** Listens, on the same port as before. */
  async open(): Promise<void> {
    const { tls = 'none', credentials } = this.options;
    const { certificate: cert, key } = testCertificate();
    const refuse = (step: Refusal['step']) => {
      if (this.refusal?.step !== step) return null;
      const refused = new Error('Secret words about ada@example.com');
      return Object.assign(refused, { responseCode: this.refusal.code });
    };
    this.#server = new SMTPServer({
      cert,
      key,
      secure: tls === 'start',
      disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
      authOptional: credentials === undefined,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      onAuth: (auth, _, done) =>
        auth.username === credentials?.user && auth.password === credentials?.pass
          ? done(null, { user: auth.username })
          : done(new Error('Secret words about the password')),
      onMailFrom: (_, __, done) => done(refuse('sender')),
      onRcptTo: (_, __, done) => done(refuse('recipient')),
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const refused = refuse('data');
          if (refused !== null) return done(refused);
          const { mailFrom, rcptTo } = session.envelope;
          this.mails.push({
            from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(parts).toString(),
            isOverTls: session.secure,
            user: session.user === undefined ? undefined : String(session.user),
          });
          if (this.isCut) {
            this.#server.connections.forEach((connection) => connection.close());
            return;
          }
          void this.hold().then(() => done(null));
        });
      },
    });
    this.#server.on('error', () => undefined);
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.#server.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
