import { Metadata, ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';

/** Passwords by user, and who of them may read `$all`. */
export interface Users {
  readonly passwords: Readonly<Record<string, string>>;
  readonly readers: readonly string[];
}

/** Answered to whoever asks: which calls there are, and who leads. */
const OPEN = /ServerFeatures|Gossip/i;

/**
 * Refuses calls as a secured server does: 16 for a user or password that is not known, 7 where none is given or a right is lacking.
 * @param granted who else may read `$all`, by its metadata
 */
export function demandUser(
  { passwords, readers }: Users,
  granted: () => readonly string[],
): ServerInterceptor {
  return ({ path }, call) => {
    const refusalOf = (metadata: Metadata) => {
      const [given] = metadata.get('authorization');
      if (given === undefined) return denied();
      const [name = '', password] = Buffer.from(String(given).replace(/^Basic /, ''), 'base64')
        .toString()
        .split(/:(.*)/s);
      if (passwords[name] !== password) return { code: status.UNAUTHENTICATED, details: 'Unauthenticated' };
      return path.endsWith('/Read') && ![...readers, ...granted()].includes(name) ? denied() : undefined;
    };
    return new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const refusal = OPEN.test(path) ? undefined : refusalOf(metadata);
            if (refusal === undefined) pass(metadata);
            else call.sendStatus(refusal);
          },
        });
      },
    });
  };
}

function denied() {
  const metadata = new Metadata();
  metadata.set('exception', 'access-denied');
  return { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata };
}
