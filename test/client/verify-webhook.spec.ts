import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { isWebhookError, verifyWebhook, type WebhookHeaders } from '../../packages/client/src/index.js';

/** The example of the specification of Standard Webhooks, which its libraries test, too. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const MESSAGE = {
  type: 'TenantMovedIn',
  timestamp: '2026-11-29T10:00:00.000Z',
  data: { position: '7', unit_name: 'Ä-1 🏠' },
};
const BODY = JSON.stringify(MESSAGE);
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

const sign = (body: string, secret = VECTOR.secret) =>
  new Webhook(secret).sign(VECTOR.id, new Date(VECTOR.seconds * 1_000), body);
const headersOf = (signature: string, seconds: number | string = VECTOR.seconds) => ({
  'webhook-id': VECTOR.id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signature,
});
/** @param late seconds after the message's timestamp */
const verify = (headers: WebhookHeaders, body: string | Uint8Array = BODY, late = 0) =>
  verifyWebhook(headers, body, VECTOR.secret, { now: (VECTOR.seconds + late) * 1_000 });
const codeOf = async (verified: Promise<unknown>): Promise<string> => {
  const error = await verified.then(
    () => 'verified',
    (thrown: unknown) => thrown,
  );
  return isWebhookError(error) ? error.code : String(error);
};

describe('verifyWebhook', () => {
  it('accepts the signature of the specification, and says that the body is no message', async () => {
    expect(await codeOf(verify(headersOf(VECTOR.signature), VECTOR.body))).toBe('malformed_body');
  });

  it('answers the message', async () => {
    expect(await verify(headersOf(sign(BODY)))).toEqual(MESSAGE);
  });

  it('agrees with the library of Standard Webhooks about every body and secret', async () => {
    const secrets = fc.uint8Array({ minLength: 1, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), secrets, async (text, key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const body = JSON.stringify({ ...MESSAGE, data: { text } });
        const headers = headersOf(sign(body, secret));
        const message = await verifyWebhook(headers, body, secret, { now: VECTOR.seconds * 1_000 });
        expect(message.data).toEqual({ text });
      }),
    );
  });

  it.each([
    ['the bytes of the body', headersOf(sign(BODY)), Buffer.from(BODY)],
    ['headers of the web', new Headers(headersOf(sign(BODY))), BODY],
    ['names of headers in capitals', upperCase(headersOf(sign(BODY))), BODY],
    [
      'two signatures, of which the second fits',
      headersOf(`${sign(BODY, OTHER_SECRET)} ${sign(BODY)}`),
      BODY,
    ],
    ['two signatures, of which the first fits', headersOf(`${sign(BODY)} ${sign(BODY, OTHER_SECRET)}`), BODY],
    ['signatures of other versions beside ours', headersOf(`v1a,b25l ${sign(BODY)} v2,dHdv`), BODY],
  ])('takes %s', async (_name, headers, body) => {
    expect(await verify(headers, body)).toEqual(MESSAGE);
  });

  it.each([
    ['another body', headersOf(sign(BODY)), BODY.replace('7', '8')],
    ['the signature of another secret', headersOf(sign(BODY, OTHER_SECRET)), BODY],
    ['the signature of another id', { ...headersOf(sign(BODY)), 'webhook-id': 'msg_other' }, BODY],
    ['the signature of another time', headersOf(sign(BODY), VECTOR.seconds + 1), BODY],
    ['a signature without its version', headersOf(sign(BODY).slice('v1,'.length)), BODY],
    ['a signature of another version', headersOf(sign(BODY).replace('v1,', 'v2,')), BODY],
    ['the beginning of a signature', headersOf(sign(BODY).slice(0, -1)), BODY],
    ['several wrong signatures', headersOf('v1,AAAA v1, v1 ,'), BODY],
  ])('refuses %s', async (_name, headers, body) => {
    expect(await codeOf(verify(headers, body))).toBe('no_matching_signature');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses a message without %s',
    async (name) => {
      const headers = { ...headersOf(sign(BODY)), [name]: undefined };
      expect(await codeOf(verify(headers))).toBe('missing_header');
    },
  );

  it('refuses a header that came twice', async () => {
    const headers = { ...headersOf(sign(BODY)), 'webhook-id': ['one', 'other'] };
    expect(await codeOf(verify(headers))).toBe('malformed_header');
  });

  it.each(['', 'now', '1614265330.5', '-1', '1e9', ' 1614265330'])(
    'refuses %j as a timestamp',
    async (timestamp) => {
      const expected = timestamp === '' ? 'missing_header' : 'malformed_header';
      expect(await codeOf(verify(headersOf(sign(BODY), timestamp)))).toBe(expected);
    },
  );

  it.each([
    [300, 'verified'],
    [301, 'timestamp_too_old'],
    [-300, 'verified'],
    [-301, 'timestamp_too_new'],
  ])('read %i seconds after it was sent is %s', async (late, code) => {
    expect(await codeOf(verify(headersOf(sign(BODY)), BODY, late))).toBe(code);
  });

  it('takes another tolerance', async () => {
    const options = { now: (VECTOR.seconds + 11) * 1_000, toleranceSeconds: 10 };
    const verified = verifyWebhook(headersOf(sign(BODY)), BODY, VECTOR.secret, options);
    expect(await codeOf(verified)).toBe('timestamp_too_old');
  });

  it.each(['', 'whsec_', 'whsec_%%%'])('refuses %j as a secret', async (secret) => {
    expect(await codeOf(verifyWebhook(headersOf(sign(BODY)), BODY, secret))).toBe('malformed_secret');
  });

  it.each(['null', '[]', '{"type":"A"}', '{"type":"A","data":null}', 'no JSON'])(
    'refuses %j as a message',
    async (body) => {
      expect(await codeOf(verify(headersOf(sign(body)), body))).toBe('malformed_body');
    },
  );

  it('says that the body must not be parsed', async () => {
    const parsed = MESSAGE as unknown as string;
    await expect(verify(headersOf(sign(BODY)), parsed)).rejects.toThrow('not parsed');
  });

  it('tells nothing of secret and message in its error', async () => {
    const error: unknown = await verify(headersOf(sign(BODY, OTHER_SECRET))).catch(
      (thrown: unknown) => thrown,
    );
    expect(String((error as Error).stack)).not.toMatch(/MfKQ9r8GKYqr|TenantMovedIn/);
  });
});

function upperCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
