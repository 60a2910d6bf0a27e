import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import {
  REBUILD_REQUEST,
  type RebuildMessage,
  type RebuildRequest,
  socketAddress,
} from '../projecting/rebuild/index.js';
import { CommandError, type Output, progressOn } from './output.js';

/**
 * Has the service that works on the data rebuild their views, and waits until it serves from the new ones.
 * @param pid the process that holds the data
 * @returns how many events they hold
 * @throws CommandError where it refuses, fails or goes away
 */
export async function askForRebuild(data_dir: string, pid: number, output: Output): Promise<number> {
  const address = socketAddress(data_dir);
  const socket = connect(address.path);
  try {
    await connected(socket).catch(() => {
      throw new CommandError(
        `Process ${pid} works on ${data_dir} and takes no request to rebuild: ` +
          'it is starting or ending, or is another command. Try again, or stop it first.',
      );
    });
    return await conversation(socket, pid, output);
  } finally {
    socket.destroy();
    address.release();
  }
}

async function conversation(socket: Socket, pid: number, output: Output): Promise<number> {
  const request: RebuildRequest = { request: REBUILD_REQUEST };
  socket.write(`${JSON.stringify(request)}\n`);
  const progress = progressOn(output, 'applied');
  for await (const message of messages(socket)) {
    switch (message.kind) {
      case 'accepted':
        output.stderr.write(accepted(message.joined, pid));
        break;
      case 'applied':
        progress(message.events, message.share);
        break;
      case 'failed':
        throw new CommandError(`The service (process ${pid}) did not rebuild the views: ${message.message}`);
      case 'done':
        return message.events;
    }
  }
  throw new CommandError(
    `The service (process ${pid}) went away before it said that the views are rebuilt. ` +
      'Its next start finds the old or the new ones whole.',
  );
}

/** Rejects where nobody listens: there is no socket, or one that a killed service left. */
async function connected(socket: Socket): Promise<void> {
  await once(socket, 'connect');
}

/** Ends with the connection, however that ends. */
async function* messages(socket: Socket): AsyncGenerator<RebuildMessage> {
  socket.on('error', () => socket.destroy());
  try {
    for await (const line of createInterface({ input: socket })) yield JSON.parse(line) as RebuildMessage;
  } catch (error) {
    // The connection's own failure, which the interface throws on; a message that is none is a fault.
    if (error instanceof SyntaxError) throw error;
  }
}

function accepted(joined: boolean, pid: number): string {
  return joined
    ? `The service (process ${pid}) is rebuilding the views already; waiting for it.\n`
    : `The service (process ${pid}) rebuilds the views and goes on serving meanwhile.\n`;
}
