import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDateTime } from '../platform/formats.ts';
import { paths } from '../platform/paths.ts';
import { usePermissions } from '../platform/permissions.ts';
import { texts as mailTexts } from '../texts/email-history.ts';
import { texts } from '../texts/timeline.ts';
import { EmailStatusBadge, emailStateText } from './EmailState.tsx';

type EmailEntryProps = { email: EmailLogEntry; timeZone: string };

/** A message in a timeline with its state as in Email History, to which it links for users who have that page. */
export function EmailEntry({ email, timeZone }: EmailEntryProps): ReactNode {
  const permissions = usePermissions();
  const { status } = email;
  const subject = email.subject || mailTexts.noSubject;
  // The mail server's response to a delivered message is not of interest here.
  const state = status === 'sent' ? '' : emailStateText(email, timeZone);
  const time = (at: string): ReactNode => (
    <time className="ui-muted" dateTime={at}>
      {formatDateTime(at, timeZone)}
    </time>
  );
  return (
    <div className="ui-stack ui-gap-1">
      <p className="ui-anywhere">
        <strong>{email.senderName}</strong> {texts.emailed}{' '}
        {permissions.page('emailTemplates') ? (
          <Anchor
            renderRoot={(props) => <Link {...props} to={paths.email(email._id)} />}
            inherit
            underline="always"
          >
            {subject}
          </Anchor>
        ) : (
          subject
        )}{' '}
        {time(email.createdAt)}
      </p>
      <p className="ui-row">
        <EmailStatusBadge status={status} />
        {email.sentAt !== null && time(email.sentAt)}
        <span className="ui-muted">{email.templateName}</span>
      </p>
      <p className="ui-quiet ui-anywhere">{texts.recipients(email.to, email.cc)}</p>
      {state !== '' && <p className="ui-quiet ui-anywhere">{state}</p>}
    </div>
  );
}
