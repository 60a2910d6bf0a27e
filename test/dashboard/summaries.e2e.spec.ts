import { SummaryRounds } from '#domain/summaries/index.js';
import { MailServer } from '../domain/summaries/support/mail-server.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const HOUR = 60 * 60_000;
const PAGE = '/dashboard/account/summaries';

let server: MailServer;
let service: Service;
let company: Company;
let operator: Visitor;

async function start(environment: Record<string, string>): Promise<void> {
  service = await Service.start({ environment });
  company = await service.company();
  operator = await Visitor.signedIn(service);
}
beforeEach(async () => {
  server = await MailServer.start();
});
afterEach(async () => {
  await service.close();
  await server.close();
});

const withMail = () =>
  start({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    SMTP_FROM: 'access@example.com',
    PUBLIC_URL: 'https://access.example',
  });

const isOn = async () =>
  demand(200, await service.operator('get', '/session/summaries')).summaries.length === 1;

/** The path that the mail of the next morning ends with. */
async function stopPath(): Promise<string> {
  const rounds = service.part(SummaryRounds);
  await rounds.stop();
  service.manualClock.advance(8 * HOUR);
  rounds.start();
  await rounds.runRound();
  const text = server.mails[0]!.raw.replace(/=\r\n/g, '');
  return new URL(/Stop it: (\S+)/.exec(text)![1]!).pathname;
}

test('A mail is switched on and off on the page of the account', async () => {
  await withMail();
  await operator.visit('/dashboard/account');
  expect(operator.links).toContain(PAGE);
  await operator.visit(PAGE);
  await operator.submit(`summary-${company.id}`);
  expect(operator.text).toContain('The morning summary is on.');
  expect(await isOn()).toBe(true);
  await operator.visit('/dashboard/account');
  expect(operator.text).toContain('On for 1 company.');
  await operator.visit(PAGE);
  await operator.submit(`summary-${company.id}`);
  expect(operator.text).toContain('The morning summary is off.');
  expect(await isOn()).toBe(false);
});

test('The page says what became of the last mail', async () => {
  await withMail();
  await operator.visit(PAGE);
  await operator.submit(`summary-${company.id}`);
  expect(operator.text).toContain('none yet');
  await stopPath();
  operator = await Visitor.signedIn(service);
  await operator.visit(PAGE);
  expect(operator.text).toContain('Jan 1, 2026: sent');
});

test('Without a mail server the page says what is missing', async () => {
  await start({});
  await operator.visit(PAGE);
  expect(operator.text).toContain('Ask the person who runs it to set SMTP_URL');
  expect(operator.forms).not.toContain(`summary-${company.id}`);
});

test('An operator of another company sees and switches its own alone', async () => {
  await withMail();
  const other = await service.company();
  const auditor = await Visitor.of(service, 'auditor', [other.id]);
  await auditor.visit(PAGE);
  expect(auditor.forms).toContain(`summary-${other.id}`);
  expect(auditor.forms).not.toContain(`summary-${company.id}`);
  await auditor.post(`${PAGE}/${company.id}/on`, {});
  expect(auditor.shown.status).toBe(404);
});

test('A sandbox is not offered', async () => {
  await withMail();
  const sandbox = await service.sandbox();
  await operator.visit(PAGE);
  expect(operator.forms).not.toContain(`summary-${sandbox.id}`);
});

describe('the link at the end of a mail', () => {
  beforeEach(async () => {
    await withMail();
    demand(200, await service.operator('put', `/session/summaries/${company.id}`));
  });

  test('Opening it changes nothing, and its form stops the mails without a sign-in', async () => {
    const path = await stopPath();
    const anybody = new Visitor(service);
    await anybody.visit(path);
    expect(anybody.shown.headers['referrer-policy']).toBe('no-referrer');
    expect(await isOn()).toBe(true);
    await anybody.submit('stop');
    expect(anybody.text).toContain('No more mails about this company are sent to you.');
    expect(await isOn()).toBe(false);
    const { operator_id } = demand(200, await service.operator('get', '/session'));
    const last = (await service.events(`operator-${operator_id}`)).at(-1);
    expect(last).toMatchObject({
      type: 'OperatorSummarySwitched',
      data: { company_id: company.id, on: false },
      metadata: { actor: { kind: 'system', id: 'summary-link' } },
    });
  });

  /** What RFC 8058 lets a mail program send. */
  test.each([
    ['application/x-www-form-urlencoded', URLSearchParams],
    ['multipart/form-data', FormData],
  ] as const)('The button of a mail program stops the mails, by a form in %s', async (_type, Form) => {
    const path = await stopPath();
    const body = new Form();
    body.append('List-Unsubscribe', 'One-Click');
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(await isOn()).toBe(false);
  });

  test('A link that was used says the same again', async () => {
    const path = await stopPath();
    const anybody = new Visitor(service);
    await anybody.visit(path);
    await anybody.submit('stop');
    await anybody.visit(path);
    await anybody.submit('stop');
    expect(anybody.shown.status).toBe(200);
  });

  test('A link that was changed does nothing', async () => {
    const path = await stopPath();
    const anybody = new Visitor(service);
    const changed = path.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    await anybody.visit(changed);
    expect(anybody.shown.status).toBe(404);
    await anybody.post(changed, {});
    expect(anybody.shown.status).toBe(404);
    await anybody.visit('/dashboard/summary/stop/nothing');
    expect(anybody.shown.status).toBe(404);
    expect(await isOn()).toBe(true);
  });
});
