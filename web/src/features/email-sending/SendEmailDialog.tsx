import { hasVisibleText, isAtMost } from '@forecourt/contract/characters';
import type { MessageNote } from '@forecourt/contract/email-sending';
import type { EarlierMessage } from '@forecourt/contract/email-templates';
import { MAX_NOTE_LENGTH } from '@forecourt/contract/template-limits';
import { tooLongMessage } from '@forecourt/contract/too-long';
import { Button, Loader, Select, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useTimeZone } from '../../platform/deal-options.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts as attachmentTexts } from '../../texts/email-attachments.ts';
import { texts } from '../../texts/email-sending.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { MessagePreview, previewedMessage } from '../../ui/MessagePreview.tsx';
import { Segments } from '../../ui/Segments.tsx';
import type { Uploads } from '../../ui/uploads/use-uploads.ts';
import { Attachments, RowFiles, useAttachments, type DealToSend } from './Attachments.tsx';
import { previewQuery, sendFailure, usableTemplatesQuery, useSendEmail } from './email-sending.queries.ts';
import { followMessage } from './SendEmailDialogToast.tsx';
import { SendTime } from './SendTime.tsx';
import { useSendKey } from './use-send-key.ts';
import styles from './SendEmailDialog.module.css';

/** Debounce of the preview while the user types, in milliseconds. */
const PREVIEW_MS = 300;

type SendEmailDialogProps = {
  deal: DealToSend;
  onClose: () => void;
};

/** Preview of an email about a deal, to the dealership's contacts (docs/product/email.md, Preview). */
export default function SendEmailDialog({ deal, onClose }: SendEmailDialogProps): ReactNode {
  const { user } = useSession();
  const templates = useQuery(usableTemplatesQuery(deal._id));
  const choices = (templates.data?.items ?? []).map(({ _id, name, isDefault }) => ({
    value: _id,
    label: isDefault ? texts.isDefault(name) : name,
  }));
  const [chosen, setChosen] = useState<string | null>(null);
  const [first] = templates.data?.items ?? [];
  // Without a default template the user chooses one, unless there is only one.
  const templateId = chosen ?? (first?.isDefault || choices.length === 1 ? first!._id : null);
  const canRead = usePermissions().can('dataEntry', 'canViewEmailPreview');
  const [typed, setTyped] = useState<MessageNote | null>(null);
  const note = typed && hasVisibleText(typed.text) ? typed : null;
  const tooLong = note && !isAtMost(note.text, MAX_NOTE_LENGTH) ? tooLongMessage(MAX_NOTE_LENGTH) : undefined;
  const [previewed] = useDebouncedValue(note, PREVIEW_MS);
  const preview = useQuery({
    ...previewQuery(deal._id, templateId, previewed),
    enabled: canRead && tooLong === undefined,
  });
  const [sendAt, setSendAt] = useState<string | null>(null);
  const timeZone = useTimeZone();
  const attachments = useAttachments();
  const sending = useSending({ dealId: deal._id, templateId, note, attachments, onSent: onClose });
  const { send, busy, message, timeError, noteError, attachmentsError, earlierMessage } = sending;
  const earlier = preview.data?.earlier ?? earlierMessage;

  const problems = preview.data?.problems ?? [];
  const waiting = attachments.isBusy ? attachmentTexts.wait : undefined;
  const missing = templateId === null ? texts.chooseTemplate : waiting;
  const isShown = preview.data !== undefined && !preview.isPlaceholderData && previewed === note;
  const isSeen = !canRead || isShown;
  const unseen = preview.isError ? texts.previewFailed : isSeen ? undefined : texts.waitForPreview;
  const canSend = problems[0] ?? missing ?? tooLong ?? unseen ?? (sendAt === '' ? texts.chooseTime : true);

  const sendNow = (): Promise<void> => send({ again: Boolean(earlier), ...(sendAt && { sendAt }) });
  useSendKey(canSend, busy, sendNow);

  return (
    <Dialog title={texts.titleFor(deal.customerName)} size="lg" onClose={() => busy || onClose()}>
      <div className={`ui-stack ${styles.fields}`}>
        <FormMessage text={message} />
        <Select
          label={texts.template}
          placeholder={texts.chooseTemplate}
          data={choices}
          value={templateId}
          searchable={choices.length > 8}
          onChange={setChosen}
          error={templates.isSuccess && choices.length === 0 ? texts.noTemplate : undefined}
        />
        <div className={`ui-stack ${styles.preview}`} data-reserved={canRead || undefined}>
          {problems.length > 0 && <Problems sentences={problems} />}
          {earlier && (
            <p className="ui-notice" role="alert">
              {texts[earlier.isUnconfirmed ? 'sentUnconfirmed' : 'sentBefore'](
                earlier.senderName,
                formatDateTime(earlier.sentAt ?? earlier.createdAt, timeZone),
              )}
            </p>
          )}
          {!canRead && <p className="ui-muted">{texts.noPreview}</p>}
          <Loaded
            of={[templates, preview]}
            message={texts.previewFailed}
            loading={
              <output className="ui-line ui-muted">
                <Loader size={16} /> {texts.loading}
              </output>
            }
          />
          {preview.data && <MessagePreview message={previewedMessage(preview.data)} />}
          <RowFiles deal={deal} attachments={attachments} />
        </div>
        <Sentence value={typed} onChange={setTyped} error={tooLong ?? noteError} />
        <Attachments attachments={attachments} error={attachmentsError} />
        <SendTime value={sendAt} onChange={setSendAt} error={timeError} />
      </div>
      <div className={`ui-row ui-end ${styles.actions}`}>
        <ActionButton
          className="ui-pull"
          variant="default"
          ability={missing ?? tooLong ?? (busy ? texts.isSending : true)}
          onClick={() => user && void send({ to: [user.email] })}
        >
          {texts.sendTest}
        </ActionButton>
        <Button variant="default" onClick={onClose} disabled={busy}>
          {texts.cancel}
        </Button>
        <ActionButton
          className={styles.send}
          loading={busy}
          data-autofocus
          aria-keyshortcuts="Control+Enter"
          ability={canSend}
          onClick={() => void sendNow()}
        >
          {earlier ? texts.sendAgain : texts.send}
        </ActionButton>
      </div>
    </Dialog>
  );
}

type SendOptions = { to?: string[]; again?: boolean; sendAt?: string };

type Sending = {
  dealId: string;
  templateId: string | null;
  note: MessageNote | null;
  attachments: Uploads;
  onSent: () => void;
};

/** Sends with one idempotency key per intention: another template, text, recipient, time or file gets a new key. */
function useSending({ dealId, templateId, note, attachments, onSent }: Sending) {
  const sending = useSendEmail();
  const timeZone = useTimeZone();
  const [failure, setFailure] = useState<unknown>(null);
  const keyFor = useRef(createIntentionKeys());

  const send = async (options: SendOptions): Promise<void> => {
    if (templateId === null) return;
    const body = { dealId, ...options, ...(note && { note }), attachments: attachments.takeIds() };
    const idempotencyKey = keyFor.current([templateId, body]);
    setFailure(null);
    try {
      // With a key, the response is sent before the delivery; a test has none, because it waits for the delivery.
      const once = options.to === undefined && { idempotencyKey };
      const entry = await sending.mutateAsync({ params: { templateId }, body, ...once });
      keyFor.current = createIntentionKeys();
      followMessage(entry, { ...options, timeZone });
      if (options.to === undefined) onSent();
    } catch (thrown) {
      const refused = thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500;
      if (refused) keyFor.current = createIntentionKeys();
      setFailure(thrown);
    }
  };
  const refusal = failure instanceof ApiError ? failure : undefined;
  const timeError = refusal?.errors['sendAt'];
  const noteError = refusal?.errors['note.text'];
  const attachmentsError = refusal?.errors['attachments'];
  const earlierMessage = refusal?.code === 'ALREADY_SENT' ? (refusal.current as EarlierMessage) : null;
  const isShownElsewhere =
    failure === null || (timeError ?? noteError ?? attachmentsError) !== undefined || earlierMessage !== null;
  const message = isShownElsewhere ? null : texts.failedBecause(sendFailure(failure));
  return { send, busy: sending.isPending, message, timeError, noteError, attachmentsError, earlierMessage };
}

function Problems({ sentences }: { sentences: readonly string[] }): ReactNode {
  return (
    <div className="ui-notice" role="alert">
      <p>{texts.problems}</p>
      <ul className="ui-bullets">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

const focusAtOnce = (field: HTMLElement | null): void => field?.focus();

type SentenceProps = {
  /** The note as typed; null if nothing is added. */
  value: MessageNote | null;
  onChange: (value: MessageNote | null) => void;
  error?: string | undefined;
};

/** The note that the sender adds to one message, above or below the text of the template. */
function Sentence({ value, onChange, error }: SentenceProps): ReactNode {
  if (value === null) {
    return (
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Plus size={14} />}
          onClick={() => onChange({ text: '', place: 'below' })}
        >
          {texts.addSentence}
        </Button>
      </div>
    );
  }
  return (
    <div className="ui-stack ui-gap-2">
      <Textarea
        label={texts.sentence}
        autosize
        minRows={2}
        maxRows={8}
        ref={focusAtOnce}
        value={value.text}
        error={error}
        onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
      />
      <div className="ui-row ui-between">
        <Segments
          aria-label={texts.sentencePlace}
          labels={texts.places}
          value={value.place}
          onChange={(place) => onChange({ ...value, place })}
        />
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(null)}>
          {texts.removeSentence}
        </Button>
      </div>
    </div>
  );
}
