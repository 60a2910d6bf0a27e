import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { MailError } from '#domain/summaries/mail/mail-sender.js';
import { SmtpMailSender } from '#domain/summaries/mail/smtp-mail-sender.js';
import { systemClock } from '#kernel/clock.js';
import type { SmtpSettings } from '#kernel/environment/smtp-settings.js';
import { freePort } from '../../support/free-port.js';
import { ManualClock } from '../../support/manual-clock.js';
import { AUTHORITY_FILE } from '../../support/tls.js';
import { waitUntil } from '../../support/wait-until.js';
import { MailServer, type MailServerOptions } from './support/mail-server.js';

const PASSWORD = 'a password that nobody may see';
const CREDENTIALS = { user: 'access@example.com', pass: PASSWORD };
const TRUST = { ca: readFileSync(AUTHORITY_FILE) };
const MAIL = {
  to: 'ada@example.com',
  subject: 'Today at Über Storage: 3 tenants locked out',
  text: 'Locked out: 3 tenants\n\nA line that is longer than seventy-six characters, such as one with an address in it.\n',
  message_id: 'summary.1.2026-01-06@access.example',
  stop_url: 'https://access.example/dashboard/summary/stop/T',
};

let server: MailServer;

async function startServer(options?: MailServerOptions): Promise<void> {
  server = await MailServer.start(options);
}
afterEach(() => server?.close());

function senderWith(settings: Partial<SmtpSettings> = {}, tlsOptions: object = TRUST): SmtpMailSender {
  const whole: SmtpSettings = {
    host: '127.0.0.1',
    port: server.port,
    tls: 'if_offered',
    credentials: undefined,
    from: 'Storage access <access@example.com>',
    ...settings,
  };
  return new SmtpMailSender(whole, systemClock, tlsOptions);
}

async function errorOf(sending: Promise<void>): Promise<MailError> {
  const error: unknown = await sending.then(
    () => new Error('It was sent.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MailError);
  return error as MailError;
}

describe('a mail that the server takes', () => {
  test('A mail has sender, receiver, subject and text, and says that a program made it', async () => {
    await startServer();
    await senderWith().sendMail(MAIL);
    const [mail] = server.mails;
    expect(server.mails).toHaveLength(1);
    expect(mail).toMatchObject({ from: 'access@example.com', to: ['ada@example.com'] });
    const [head = '', body = ''] = mail!.raw.split('\r\n\r\n', 2);
    expect(head).toContain('From: Storage access <access@example.com>');
    expect(head).toContain('To: ada@example.com');
    expect(head).toContain('Subject: =?UTF-8?');
    expect(head).toContain('Auto-Submitted: auto-generated');
    expect(body).toContain('Locked out: 3 tenants');
  });

  test('A mail has the address that stops it for the button of a mail program', async () => {
    await startServer();
    await senderWith().sendMail(MAIL);
    const { raw } = server.mails[0]!;
    expect(raw).toContain('List-Unsubscribe: <https://access.example/dashboard/summary/stop/T>');
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test('A mail that is sent once more has the same identifier', async () => {
    await startServer();
    await senderWith().sendMail(MAIL);
    await senderWith().sendMail(MAIL);
    const ids = server.mails.map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0]);
    expect(ids).toEqual(Array(2).fill('Message-ID: <summary.1.2026-01-06@access.example>'));
  });

  test('A line break in a name makes no new field of the head', async () => {
    await startServer();
    await senderWith().sendMail({ ...MAIL, subject: 'Today at A\r\nBcc: eve@example.com' });
    expect(server.mails[0]!.raw).not.toMatch(/^Bcc:/m);
    expect(server.mails[0]!.to).toEqual(['ada@example.com']);
  });
});

describe('TLS', () => {
  test('A connection becomes TLS by STARTTLS before the password is sent', async () => {
    await startServer({ tls: 'starttls', credentials: CREDENTIALS });
    await senderWith({ tls: 'required', credentials: CREDENTIALS, host: 'localhost' }).sendMail(MAIL);
    expect(server.mails).toMatchObject([{ isOverTls: true, user: CREDENTIALS.user }]);
  });

  test('A connection is TLS from the start with smtps', async () => {
    await startServer({ tls: 'start', credentials: CREDENTIALS });
    await senderWith({ tls: 'from_start', credentials: CREDENTIALS }).sendMail(MAIL);
    expect(server.mails).toMatchObject([{ isOverTls: true }]);
  });

  test('Nothing is sent to a server without STARTTLS where TLS is required', async () => {
    await startServer({ tls: 'none' });
    const error = await errorOf(senderWith({ tls: 'required' }).sendMail(MAIL));
    expect(error.failure).toBe('unreachable');
    expect(server.mails).toEqual([]);
  });

  test.each(['starttls', 'start'] as const)(
    'Nothing is sent to a server whose certificate nobody trusts: %s',
    async (offered) => {
      await startServer({ tls: offered });
      const tls = offered === 'start' ? 'from_start' : 'required';
      const error = await errorOf(senderWith({ tls }, {}).sendMail(MAIL));
      expect(error.failure).toBe('unreachable');
      expect(server.mails).toEqual([]);
    },
  );
});

describe('a mail that the server does not take', () => {
  test('A wrong password sends nothing, and is in no error', async () => {
    await startServer({ tls: 'starttls', credentials: CREDENTIALS });
    const credentials = { user: CREDENTIALS.user, pass: 'wrong' };
    const error = await errorOf(senderWith({ credentials, host: 'localhost' }).sendMail(MAIL));
    expect(error.failure).toBe('unreachable');
    expect(error.message).toBe('The mail server did not take the mail: EAUTH AUTH PLAIN 535.');
  });

  test('A server that takes no password gets no mail without one', async () => {
    await startServer();
    const error = await errorOf(senderWith({ credentials: CREDENTIALS }).sendMail(MAIL));
    expect(error.failure).toBe('unreachable');
    expect(server.mails).toEqual([]);
  });

  test.each([
    ['recipient', 550, 'refused'],
    ['recipient', 451, 'deferred'],
    ['data', 554, 'refused'],
    ['data', 452, 'deferred'],
    // The sender is the same for all mails.
    ['sender', 550, 'unreachable'],
  ] as const)('A refusal of the %s with %i is %s', async (step, code, failure) => {
    await startServer();
    server.refusal = { step, code };
    const error = await errorOf(senderWith().sendMail(MAIL));
    expect(error.failure).toBe(failure);
    expect(error.message).toContain(String(code));
    expect(`${error.message}${error.stack}`).not.toContain('ada@example.com');
    expect(error.cause).toBeUndefined();
  });

  test('A server that is down is unreachable', async () => {
    await startServer();
    const port = await freePort();
    const error = await errorOf(senderWith({ port }).sendMail(MAIL));
    expect(error.failure).toBe('unreachable');
  });

  test('A mail whose answer is lost may have been sent', async () => {
    await startServer();
    server.isCut = true;
    const error = await errorOf(senderWith().sendMail(MAIL));
    expect(error.failure).toBe('unknown');
    expect(server.mails).toHaveLength(1);
  });
});

describe('a server that does not answer', () => {
  let silent: Server;
  const sockets: Socket[] = [];
  let received = '';

  /** Says its lines one by one, each after a line of the client, and then nothing more. */
  async function startSilent(lines: readonly string[]): Promise<number> {
    silent = createServer((socket) => {
      sockets.push(socket);
      const left = [...lines];
      const say = () => {
        const line = left.shift();
        if (line !== undefined) socket.write(`${line}\r\n`);
      };
      say();
      socket.on('data', (part) => {
        received += part.toString();
        say();
      });
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    return (silent.address() as AddressInfo).port;
  }
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    silent.close();
  });

  test.each([
    ['before its greeting', [], 'unreachable'],
    ['after its greeting', ['220 ready'], 'unreachable'],
    ['before it takes the text', ['220 ready', '250 hello', '250 sender', '250 receiver'], 'unreachable'],
    ['after the text', ['220 ready', '250 hello', '250 sender', '250 receiver', '354 go'], 'unknown'],
  ] as const)('A server that falls silent %s is given up after 30 seconds', async (_, lines, failure) => {
    await startServer();
    const clock = new ManualClock();
    const port = await startSilent(lines);
    const settings: SmtpSettings = {
      host: '127.0.0.1',
      port,
      tls: 'if_offered',
      credentials: undefined,
      from: 'access@example.com',
    };
    received = '';
    const sending = errorOf(new SmtpMailSender(settings, clock).sendMail(MAIL));
    await waitUntil(() => sockets.length === 1);
    if (lines.length > 1) await waitUntil(() => received.includes(lines.length === 5 ? '\r\n.\r\n' : 'DATA'));
    clock.advance(30_000);
    const error = await sending;
    expect(error.failure).toBe(failure);
    expect(error.message).toContain('no answer in time');
  });
});
