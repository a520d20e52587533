import { Button, Loader, Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { newKey } from '../../platform/ids.ts';
import { may } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/email-sending.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import '../../ui/styles-dialog.ts';
import { addressText, MessagePreview } from '../../ui/MessagePreview.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { previewQuery, usableTemplatesQuery, useSendEmail } from './email-sending.queries.ts';
import { followMessage } from './SendEmailDialogToast.tsx';
import styles from './SendEmailDialog.module.css';

type SendEmailDialogProps = {
  deal: { _id: string; customerName: string };
  onClose: () => void;
};

/** The email about one deal, word for word, before it goes to the dealership's contacts (product section 6). */
export function SendEmailDialog({ deal, onClose }: SendEmailDialogProps): ReactNode {
  useFocusBack();
  const { user } = useSession();
  const templates = useQuery(usableTemplatesQuery(deal._id));
  const choices = (templates.data?.items ?? []).map(({ _id, name, isDefault }) => ({
    value: _id,
    label: isDefault ? texts.isDefault(name) : name,
  }));
  const [chosen, setChosen] = useState<string | null>(null);
  const [first] = templates.data?.items ?? [];
  // Without a default one among them the choice is the person's, unless there is none.
  const templateId = chosen ?? (first?.isDefault || choices.length === 1 ? first!._id : null);
  const mayRead = may(user).do('dataEntry', 'canViewEmailPreview');
  const preview = useQuery({
    ...previewQuery(deal._id, templateId),
    enabled: mayRead && templateId !== null,
  });
  const { send, busy, message } = useSending(deal._id, templateId, onClose);

  const problems = preview.data?.problems ?? [];
  const reason = problems[0] ?? (templateId === null ? texts.chooseTemplate : undefined);
  const known = !mayRead || (preview.data !== undefined && !preview.isPlaceholderData && !preview.isError);

  return (
    <Modal
      opened
      title={texts.titleFor(deal.customerName)}
      size={dialogSizes.lg}
      onClose={() => busy || onClose()}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={styles.fields}>
        <FormMessage text={message} />
        <Select
          label={texts.template}
          placeholder={texts.chooseTemplate}
          data={choices}
          value={templateId}
          allowDeselect={false}
          searchable={choices.length > 8}
          onChange={setChosen}
          error={templates.isSuccess && choices.length === 0 ? texts.noTemplate : undefined}
        />
        {problems.length > 0 && <Problems sentences={problems} />}
        {!mayRead && <p className={styles.note}>{texts.noPreview}</p>}
        {preview.isError && (
          <LoadFailed
            error={preview.error}
            message={`${texts.previewFailed}. ${messageOf(preview.error)}`}
            retry={() => void preview.refetch()}
          />
        )}
        {(templates.isPending || preview.isLoading) && (
          <output className={styles.loading}>
            <Loader size={16} /> {texts.loading}
          </output>
        )}
        {preview.data && !preview.isError && (
          <MessagePreview
            message={{
              ...preview.data,
              from: preview.data.from ? addressText(preview.data.from) : '',
              to: preview.data.to.map(addressText),
              cc: preview.data.cc.map(addressText),
            }}
          />
        )}
      </div>
      <div className={styles.actions}>
        <Button
          className={styles.test}
          variant="default"
          disabled={busy || templateId === null || !user}
          onClick={() => user && void send([user.email])}
        >
          {texts.sendTest}
        </Button>
        <Button variant="default" onClick={onClose} disabled={busy}>
          {texts.cancel}
        </Button>
        <Button
          loading={busy}
          disabled={reason !== undefined || !known}
          title={reason}
          aria-description={reason}
          onClick={() => void send()}
        >
          {texts.send}
        </Button>
      </div>
    </Modal>
  );
}

/** Sends once however often the same intention has to be repeated; a new template or addressee is a new one. */
function useSending(dealId: string, templateId: string | null, onSent: () => void) {
  const sending = useSendEmail();
  const [message, setMessage] = useState<string | null>(null);
  const intention = useRef({ about: '', idempotencyKey: '' });

  const send = async (to?: string[]): Promise<void> => {
    if (templateId === null) return;
    const about = JSON.stringify([templateId, to]);
    if (intention.current.about !== about) intention.current = { about, idempotencyKey: newKey() };
    setMessage(null);
    try {
      const { idempotencyKey } = intention.current;
      const entry = await sending.mutateAsync({ templateId, dealId, ...(to ? { to } : {}), idempotencyKey });
      intention.current.about = '';
      followMessage(entry, to?.[0]);
      if (to === undefined) onSent();
    } catch (thrown) {
      const refused = thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500;
      if (refused) intention.current.about = '';
      setMessage(texts.failedBecause((thrown instanceof ApiError && thrown.details) || messageOf(thrown)));
    }
  };
  return { send, busy: sending.isPending, message };
}

function Problems({ sentences }: { sentences: readonly string[] }): ReactNode {
  return (
    <div className={styles.problems} role="alert">
      <p>{texts.problems}</p>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
