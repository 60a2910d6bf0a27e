import type { MessageDescription } from './answers.js';
import type { Components } from './components.js';
import { exampleOf } from './examples.js';

const WEBHOOKS_TAG = 'Webhooks';

/** The `webhooks` of a document: the requests that the service sends. */
export function describeMessages(messages: readonly MessageDescription[], components: Components) {
  return Object.fromEntries(messages.map((message) => [message.id, describeMessage(message, components)]));
}

function describeMessage(message: MessageDescription, components: Components) {
  const { id: operationId, summary, description, body, headers, answers } = message;
  const schema = components.hoist({ ...body, examples: [exampleOf(body, {})] });
  return {
    post: {
      operationId,
      // Generators of clients make a call of each operation. A client never makes this one.
      'x-internal': true,
      summary,
      description,
      tags: [WEBHOOKS_TAG],
      parameters: Object.entries(headers).map(([name, meaning]) => ({
        name,
        in: 'header',
        required: true,
        description: meaning,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: { 'application/json': { schema } } },
      security: [],
      responses: Object.fromEntries(
        Object.entries(answers).map(([status, meaning]) => [status, { description: meaning }]),
      ),
    },
  };
}
