import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { readBody } from '#web/pipeline/read-body.js';

it('a client that leaves before its body is read is not logged as a fault of the service', async () => {
  const socket = new Socket();
  const request = new IncomingMessage(socket);
  request.headers = { 'content-type': 'application/json', 'content-length': '20' };
  socket.destroy();
  const reading = readBody(request as Request, {} as Response, false);
  await expect(reading).rejects.toMatchObject({ name: 'RequestEndedError' });
});
