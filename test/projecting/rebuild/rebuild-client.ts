import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import {
  REBUILD_REQUEST,
  type RebuildMessage,
  socketAddress,
} from '../../../src/projecting/rebuild/index.js';

/** Asks for a rebuild as the command does, and is told every message as it comes. */
export async function* askForRebuild(data_dir: string): AsyncGenerator<RebuildMessage> {
  const address = socketAddress(data_dir);
  const socket = connect(address.path);
  try {
    await once(socket, 'connect');
    socket.on('error', () => socket.destroy());
    socket.write(`${JSON.stringify({ request: REBUILD_REQUEST })}\n`);
    for await (const line of createInterface({ input: socket })) yield JSON.parse(line) as RebuildMessage;
  } finally {
    socket.destroy();
    address.release();
  }
}

/** All messages of one rebuild. */
export async function messagesOf(data_dir: string): Promise<RebuildMessage[]> {
  const messages: RebuildMessage[] = [];
  for await (const message of askForRebuild(data_dir)) messages.push(message);
  return messages;
}
