import type { EmailTemplate } from '@forecourt/contract/email-templates';
import { useState, type ReactNode } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/template-preview.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { useSendEmail } from '../email-sending/email-sending.queries.ts';
import { loadFollowMessage } from '../email-sending/send-dialogs.queries.ts';

type SendTestProps = {
  /** The saved template; undefined while there are unsaved changes. */
  template: EmailTemplate | undefined;
  dealId: string;
};

/** Sends the shown message to the user only. */
export function SendTest({ template, dealId }: SendTestProps): ReactNode {
  const { user } = useSession();
  const { mutateAsync, isPending } = useSendEmail();
  const [message, setMessage] = useState<string | null>(null);

  const send = async (templateId: string, email: string): Promise<void> => {
    setMessage(null);
    try {
      const body = { dealId, to: [email], again: true };
      const entry = await mutateAsync({ templateId, body });
      const follow = await loadFollowMessage();
      follow(entry, body);
    } catch (thrown) {
      const details = thrown instanceof ApiError ? thrown.details : undefined;
      setMessage(texts.testFailed(details ?? messageOf(thrown)));
    }
  };

  return (
    <div className="ui-stack ui-gap-2 ui-bottom">
      <FormMessage text={message} />
      <ActionButton
        variant="default"
        ability={rejectionReason(template)}
        loading={isPending}
        onClick={() => template && user && void send(template._id, user.email)}
      >
        {texts.sendTest}
      </ActionButton>
    </div>
  );
}

function rejectionReason(template: EmailTemplate | undefined): true | string {
  if (!template) return texts.testUnsaved;
  return template.status === 'active' || texts.testDraft;
}
