/** Speaks TLS for a server that does not. `TARGET` is its port. */
const { readFileSync } = require('node:fs');
const { connect } = require('node:net');
const { join } = require('node:path');
const { createServer } = require('node:tls');

const FOLDER = join(__dirname, '../../support/tls');
const certificate = {
  cert: readFileSync(join(FOLDER, 'server.pem')),
  key: readFileSync(join(FOLDER, 'server-key.pem')),
};

// gRPC asks for HTTP/2. MongoDB's driver asks for nothing.
const server = createServer({ ...certificate, ALPNProtocols: ['h2'] }, (near) => {
  const far = connect(Number(process.env.TARGET), '127.0.0.1');
  near.pipe(far).pipe(near);
  for (const socket of [near, far]) {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
  }
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy());
});

server.listen(0, '127.0.0.1', () => {
  console.log(`The TLS front is listening on port ${server.address().port}.`);
});
process.once('SIGTERM', () => process.exit(0));
