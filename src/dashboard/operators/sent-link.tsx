import type { ResultOf } from '#kernel/result-of.js';
import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import type { OperatorAccounts } from '#api/operator/index.js';
import { CopyButton } from '../parts/copy-button.js';
import { Icon } from '../parts/icon.js';
import { Instant } from '../parts/times.js';
import { joinText } from './operator-drawers.js';
import { type Offered, scopeText } from './operator-scope.js';

interface SentLinkProps {
  readonly invited: ResultOf<OperatorAccounts['inviteOperator']>;
  readonly offered: Offered;
  readonly sign_on: SignOnSettings | undefined;
  readonly zone: string;
}

/** The link of an invitation, which no other page repeats. */
export function SentLink({ invited, offered, sign_on, zone }: SentLinkProps) {
  const { email, invitation } = invited;
  if (invitation === null) return null;
  return (
    <section class="card once" role="status">
      <h2>Send this link to {email}</h2>
      <p class="soft">
        It is shown only now, works once, and ends on{' '}
        <Instant at={invitation.expires_at} zone={zone} precision="day" />. Whoever opens it{' '}
        {joinText(sign_on)}, and sees {scopeText(invited, offered)}.
      </p>
      <div class="kept-secret">
        <code class="secret" id="invitation-link">
          {invitation.url}
        </code>
        <CopyButton of="invitation-link" />
        <a class="button" href={`mailto:${encodeURIComponent(email)}`}>
          <Icon name="mail" />
          Write an e-mail
        </a>
      </div>
    </section>
  );
}
