/**
 * Receives webhooks. `npm run pack:client -- FOLDER` in a clone of the service packs the client into a folder; copy this file
 * there. Then `npm install express ./storage-access-client-*.tgz`, and `WEBHOOK_SECRET=whsec_… node receiver.mjs`. The secret
 * is shown once, where the webhook is added. A service on the same machine needs `WEBHOOK_ALLOW_PRIVATE=true`.
 */
import express from 'express';
import { isWebhookError, verifyWebhook } from 'storage-access-client';

const { WEBHOOK_SECRET: secret, HOST = '127.0.0.1', PORT = '8080' } = process.env;

/** Ids of handled messages. Keep them in your database, written together with what a message causes. */
const handled = new Set();

function handle({ type, data }) {
  console.log(JSON.stringify({ type, position: data.position, subject: data.subject }));
}

const application = express();
// The signature covers the bytes as they came, so nothing may parse them before.
const bytes = express.raw({ type: 'application/json', limit: '1mb' });

application.post('/hooks', bytes, async (request, response) => {
  try {
    const message = await verifyWebhook(request.headers, request.body, secret);
    const id = request.headers['webhook-id'];
    // A message may come twice. The second time it is only answered.
    if (!handled.has(id)) handle(message);
    handled.add(id);
    response.status(204).end();
  } catch (error) {
    if (!isWebhookError(error)) throw error;
    response.status(401).json({ error: error.code });
  }
});

const server = application.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${server.address().port}/hooks`);
});
