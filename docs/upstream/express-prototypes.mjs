// Shows that Express gives each request a hidden class of its own on Node 20 and 22, and what that costs.
// Run it in a folder with express 5: node --allow-natives-syntax express-prototypes.mjs
import { createServer, get, Agent, IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import express from 'express';

const [COUNT, agent] = [20_000, new Agent({ keepAlive: true, maxSockets: 1 })];
const sameMap = new Function('left', 'right', 'return %HaveSameMap(left, right)');

function withClasses(application) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, application.request);
  Object.setPrototypeOf(Response.prototype, application.response);
  Object.assign(application, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}

async function measure(name, optionsOf) {
  const application = express();
  const [shared, ended] = [{ count: 0 }, []];
  application.get('/', (request, response) => {
    if (ended.length > 1 && sameMap(ended.at(-1), ended.at(-2))) shared.count += 1;
    ended.push(request);
    response.end('ok');
  });
  const server = createServer(optionsOf(application), application).listen(0);
  await once(server, 'listening');
  const before = process.cpuUsage();
  for (let count = 0; count < COUNT; count += 1) {
    const [response] = await once(get({ port: server.address().port, agent }), 'response');
    await once(response.resume(), 'end');
  }
  const { user, system } = process.cpuUsage(before);
  const each = Math.round((user + system) / COUNT);
  console.log(
    `${process.version} ${name}: ${shared.count} of ${COUNT - 2} share a hidden class, ${each} µs each`,
  );
  server.close();
}

await measure('as it is', () => ({}));
await measure('with classes', withClasses);
process.exit();
