import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { listeningLine } from '#kernel/announcement.js';

/** The upper bound: Express parses a JSON body, answers with a small JSON document, and does nothing else. */
const application = express();
application.disable('x-powered-by');
application.set('etag', false);
application.use(express.json({ limit: '2mb' }));
application.put('/bare/:key', (request: Request, response: Response) => {
  const { units } = request.body as { units?: unknown[] };
  response.json({ data: { key: request.params['key'], units: units?.length ?? 1 } });
});

const server = application.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${listeningLine('Express', (server.address() as AddressInfo).port)}\n`);
});
process.once('SIGTERM', () => process.exit(0));
