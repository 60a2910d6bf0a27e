import { systemIds } from '#kernel/ids.js';
import { SecretBox } from '#kernel/secret-box.js';
import { makeSecret, openSecrets, signMessage } from '#domain/webhooks/webhook-secrets.js';
import type { WebhookRecord } from '#domain/webhooks/webhooks.js';

/** The example of the specification of Standard Webhooks, which its libraries test, too. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: {
    message_id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sent_at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const box = new SecretBox(Buffer.alloc(32, 1));
const record = (former: WebhookRecord['former_secret'] = null) =>
  ({ _id: 'w', sealed_secret: box.seal('whsec_bmV3', 'w'), former_secret: former }) as WebhookRecord;

test('a signature is that of the specification', () => {
  expect(signMessage([VECTOR.secret], VECTOR.message)).toBe(VECTOR.signature);
});

test('two secrets give two signatures, with a space between them', () => {
  const both = signMessage([VECTOR.secret, 'whsec_b3RoZXI='], VECTOR.message).split(' ');
  expect(both).toEqual([VECTOR.signature, expect.stringMatching(/^v1,/)]);
});

test('a new secret has 256 bits in base64 after its prefix', () => {
  const secret = makeSecret(systemIds);
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
});

test('the former secret signs, too, until its time is over', () => {
  const webhook = record({ sealed: box.seal('whsec_b2xk', 'w'), until: 100 });
  expect(openSecrets(webhook, box, 99)).toEqual(['whsec_bmV3', 'whsec_b2xk']);
  expect(openSecrets(webhook, box, 100)).toEqual(['whsec_bmV3']);
});

test('a secret of another master secret cannot be opened', () => {
  expect(openSecrets(record(), new SecretBox(Buffer.alloc(32, 2)), 0)).toBeUndefined();
});
