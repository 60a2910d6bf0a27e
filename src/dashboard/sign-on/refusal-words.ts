import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import type { SignOnRefusal } from '#domain/sign-on/index.js';

interface Words {
  readonly status: number;
  readonly message: string;
}

/** What the sign-in page says of a refused sign-on: what happened, and what to do. */
export function refusalWords(reason: SignOnRefusal, { label, only }: SignOnSettings): Words {
  const otherwise = only ? '' : ', or sign in with a password';
  const words: Readonly<Record<SignOnRefusal, Words>> = {
    over: {
      status: 403,
      message:
        'That sign-in took too long, was finished before, or was begun in another browser. Sign in again.',
    },
    declined: { status: 403, message: `${label} did not sign you in. Try again, or ask an admin.` },
    untrusted: {
      status: 403,
      message: `The answer of ${label} could not be verified, so you are not signed in. Try again. If that does not help, tell an admin.`,
    },
    unreachable: { status: 503, message: `${label} does not answer. Try again shortly${otherwise}.` },
    misconfigured: {
      status: 503,
      message: `${label} is not set up correctly for this service. Tell an admin: the log says what to correct${only ? '' : '. Or sign in with a password'}.`,
    },
    unknown: {
      status: 403,
      message: `Nobody here is linked to your account at ${label}. Ask an admin for an invitation.`,
    },
    email_unverified: {
      status: 403,
      message: `${label} does not say that your e-mail is verified. Ask an admin for an invitation.`,
    },
    linked_to_other: {
      status: 403,
      message: `You sign in here with another account at ${label}. Use that one, or ask an admin.`,
    },
    belongs_to_other: {
      status: 403,
      message: `Your account at ${label} belongs to another operator here. The invitation still works: sign in at ${label} as the invited person, or ask an admin.`,
    },
    disabled: { status: 403, message: 'Your account here is disabled. Ask an admin.' },
    invitation_invalid: {
      status: 404,
      message: 'This invitation does not work any more. Ask an admin for a new link.',
    },
  };
  return words[reason];
}
