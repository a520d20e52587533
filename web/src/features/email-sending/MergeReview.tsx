import type { EmailBatch, MergeMessage, MergePer } from '@forecourt/contract/email-sending';
import { Button, Checkbox, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useTimeZone } from '../../platform/deal-options.ts';
import { formatDateTime, formatSize } from '../../platform/formats.ts';
import { texts as attachmentTexts } from '../../texts/email-attachments.ts';
import { texts } from '../../texts/email-merge.ts';
import { texts as sending } from '../../texts/email-sending.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { namedChoices } from '../../ui/choices.ts';
import { DataTable, type DataColumn } from '../../ui/DataTable.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { Uploads } from '../../ui/uploads/use-uploads.ts';
import { Attachments, useAttachments } from './Attachments.tsx';
import { mergeReviewQuery, sendFailure, usableTemplatesQuery, useMerge } from './email-sending.queries.ts';
import { SendTime } from './SendTime.tsx';
import { useSendKey } from './use-send-key.ts';
import styles from './SendEmailDialog.module.css';

type MergedDeals = MergeMessage['deals'];

const nameOf = ({ customerName }: MergedDeals[number]): string => customerName ?? texts.unnamed;
const namesOf = (deals: MergedDeals): string => deals.map(nameOf).join(', ');

const earlierIn = ({ deals }: MergeMessage) => deals.filter(({ earlier }) => earlier !== null);

const customer: DataColumn<MergeMessage> = {
  id: 'customer',
  header: texts.customer,
  render: ({ deals }) => namesOf(deals),
};
const dealership: DataColumn<MergeMessage> = {
  id: 'dealership',
  header: texts.dealership,
  render: ({ dealershipName }) => dealershipName,
};
const deals: DataColumn<MergeMessage> = {
  id: 'deals',
  header: texts.deals,
  render: (message) => (
    <>
      {texts.count(message.deals.length)}
      <p className="ui-quiet ui-mt-1">{namesOf(message.deals)}</p>
    </>
  ),
};
const commonColumns: readonly DataColumn<MergeMessage>[] = [
  { id: 'template', header: texts.template, render: ({ templateName }) => templateName, wideOnly: true },
  {
    id: 'to',
    header: texts.to,
    render: ({ to, cc }) => [...to, ...cc].join(', ') || texts.nobody,
    wideOnly: true,
  },
  { id: 'state', header: texts.state, width: '280px', render: (message) => <State message={message} /> },
];

/** A row is a message: a deal, or a dealership with its deals. */
const columnsPer: Readonly<Record<MergePer, readonly DataColumn<MergeMessage>[]>> = {
  deal: [customer, dealership, ...commonColumns],
  dealership: [dealership, deals, ...commonColumns],
};

function State({ message }: { message: MergeMessage }): ReactNode {
  const { problems, emptyVariables, files } = message;
  if (problems.length > 0) {
    return (
      <>
        <StatusBadge tone="danger">{texts.notReady}</StatusBadge>
        <p className="ui-quiet ui-mt-1">{problems.join(' ')}</p>
      </>
    );
  }
  return (
    <>
      <Readiness message={message} />
      {files.length > 0 && (
        <p className="ui-quiet ui-anywhere ui-mt-1">
          {texts.files(
            files.map(({ name }) => name),
            formatSize(files.reduce((sum, { size }) => sum + size, 0)),
          )}
        </p>
      )}
      {emptyVariables.length > 0 && <p className="ui-quiet ui-mt-1">{sending.staysBlank(emptyVariables)}</p>}
    </>
  );
}

function Readiness({ message }: { message: MergeMessage }): ReactNode {
  const timeZone = useTimeZone();
  const before = earlierIn(message);
  const [first] = before;
  if (!first?.earlier) return <StatusBadge tone="good">{texts.ready}</StatusBadge>;
  const { senderName, sentAt, createdAt, isUnconfirmed } = first.earlier;
  return (
    <>
      <StatusBadge tone="warn">
        {texts[isUnconfirmed ? 'sentUnconfirmed' : 'sentBefore'](
          senderName,
          formatDateTime(sentAt ?? createdAt, timeZone),
        )}
      </StatusBadge>
      {message.deals.length > 1 && (
        <p className="ui-quiet ui-mt-1">{texts.amongThem(before.length, namesOf(before))}</p>
      )}
    </>
  );
}

type MergeReviewProps = {
  dealIds: readonly string[];
  onSent: (batch: EmailBatch) => void;
  onClose: () => void;
};

/** Returns a message with or without the files of its rows. */
const withFiles = (message: MergeMessage, rowFiles: boolean): MergeMessage => {
  if (!rowFiles) return { ...message, files: [] };
  const { problems, filesProblem } = message;
  return filesProblem === null ? message : { ...message, problems: [...problems, filesProblem] };
};

const isReady = ({ problems }: MergeMessage): boolean => problems.length === 0;

/** The first deal is unique, because no deal is in two messages. */
const keyOf = ({ deals }: MergeMessage): string => deals[0]!._id;

/** Reviews a merge's messages and their problems. Deals emailed before are sent again only if checked. */
export function MergeReview({ dealIds, onSent, onClose }: MergeReviewProps): ReactNode {
  const [per, setPer] = useState<MergePer>('deal');
  const [templateId, setTemplateId] = useState('');
  const [sendAt, setSendAt] = useState<string | null>(null);
  const review = useQuery(mergeReviewQuery(dealIds, per, templateId));
  const [attachesFiles, setAttachesFiles] = useState(false);
  const items = review.data?.items;
  const hasFiles = items?.some(({ files }) => files.length > 0) ?? false;
  const rowFiles = attachesFiles && hasFiles;
  const messages = useMemo(() => items?.map((item) => withFiles(item, rowFiles)), [items, rowFiles]);
  const [ticked, setTicked] = useState<ReadonlySet<string> | null>(null);
  const ready = useMemo(() => (messages ?? []).filter(isReady), [messages]);
  const chosen = ready.filter((each) => ticked?.has(keyOf(each)) ?? earlierIn(each).length === 0);
  const notReady = (messages?.length ?? 0) - ready.length;
  const before = ready.filter((each) => earlierIn(each).length > 0).length;
  const attachments = useAttachments();
  /** A message that a colleague has sent since the review is not sent again unless it is checked. */
  const reviewAgain = async (): Promise<void> => {
    const { data } = await review.refetch();
    const sent = new Set(data?.items.filter((each) => earlierIn(each).length > 0).map(keyOf));
    const isConfirmed = (each: MergeMessage): boolean => earlierIn(each).length > 0 || !sent.has(keyOf(each));
    setTicked(new Set(chosen.filter(isConfirmed).map(keyOf)));
  };
  const { send, busy, message, timeError, attachmentsError, rowFilesError } = useMerging({
    chosen,
    per,
    templateId,
    sendAt,
    rowFiles,
    attachments,
    onSent,
    onRefused: reviewAgain,
  });
  const waiting = attachments.isBusy ? attachmentTexts.wait : undefined;
  const unseen = review.isPending ? sending.waitForPreview : undefined;
  const missing = unseen ?? (chosen.length === 0 ? texts.choose : waiting);
  const canSend = missing ?? (sendAt === '' ? sending.chooseTime : true);
  useSendKey(canSend, busy, send);

  return (
    <>
      <div className={`ui-stack ${styles.fields}`}>
        <FormMessage text={message} />
        <Segments
          aria-label={texts.perLabel}
          labels={texts.per}
          value={per}
          onChange={(chosenPer) => {
            setPer(chosenPer);
            setTicked(null);
          }}
        />
        <TemplateChoice dealId={dealIds[0]!} value={templateId} onChange={setTemplateId} />
        {notReady > 0 && <p className="ui-notice">{texts.someNotReady(notReady)}</p>}
        {before > 0 && <p className="ui-muted">{texts.someBefore(before)}</p>}
        <Loaded of={review} message={texts.reviewFailed}>
          <DataTable
            label={texts.table}
            columns={columnsPer[per]}
            rows={messages}
            rowKey={keyOf}
            rowLabel={(row) => (per === 'deal' ? namesOf(row.deals) : row.dealershipName)}
            isMuted={(row) => !isReady(row)}
            selected={new Set(chosen.map(keyOf))}
            onSelectedChange={setTicked}
            empty={texts.noRows}
          />
        </Loaded>
        {hasFiles && (
          <Checkbox
            label={texts.rowFiles}
            checked={attachesFiles}
            error={rowFilesError}
            onChange={(event) => setAttachesFiles(event.currentTarget.checked)}
          />
        )}
        <Attachments attachments={attachments} error={attachmentsError} />
        <SendTime value={sendAt} onChange={setSendAt} error={timeError} />
      </div>
      <div className={`ui-row ui-end ${styles.actions}`}>
        {messages && (
          <p className={styles.sums} aria-live="polite">
            {texts.sums(chosen.length, messages.length, notReady, before)}
          </p>
        )}
        <Button variant="default" disabled={busy} onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton
          loading={busy}
          data-autofocus
          aria-keyshortcuts="Control+Enter"
          ability={canSend}
          onClick={() => void send()}
        >
          {texts.send(chosen.length)}
        </ActionButton>
      </div>
    </>
  );
}

function TemplateChoice({
  dealId,
  value,
  onChange,
}: {
  dealId: string;
  value: string;
  onChange: (templateId: string) => void;
}): ReactNode {
  const { data } = useQuery(usableTemplatesQuery(dealId));
  const templates = namedChoices(data?.items);
  return (
    <Select
      label={texts.template}
      data={[{ value: '', label: texts.ownTemplate }, ...templates]}
      value={value}
      searchable={templates.length > 8}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

type Merging = {
  chosen: readonly MergeMessage[];
  per: MergePer;
  templateId: string;
  sendAt: string | null;
  rowFiles: boolean;
  attachments: Uploads;
  onSent: (batch: EmailBatch) => void;
  onRefused: () => Promise<void>;
};

/** Sends with one idempotency key per intention: other rows, files or another time get a new key. */
function useMerging({ chosen, per, templateId, sendAt, rowFiles, attachments, onSent, onRefused }: Merging) {
  const merging = useMerge();
  const [failure, setFailure] = useState<unknown>(null);
  const [keyFor] = useState(createIntentionKeys);

  const send = async (): Promise<void> => {
    const body = {
      ids: chosen.flatMap(({ deals }) => deals.map(({ _id }) => _id)),
      per,
      ...(templateId !== '' && { templateId }),
      ...(sendAt !== null && { sendAt }),
      ...(rowFiles && { rowFiles }),
      attachments: attachments.takeIds(),
      // The user has checked these deals, although they were emailed before.
      again: chosen.flatMap(earlierIn).map(({ _id }) => _id),
    };
    setFailure(null);
    try {
      onSent(await merging.mutateAsync({ body, idempotencyKey: keyFor(body) }));
    } catch (thrown) {
      setFailure(thrown);
      if (thrown instanceof ApiError && thrown.code === 'ALREADY_SENT') await onRefused();
    }
  };
  const errors = failure instanceof ApiError ? failure.errors : {};
  const { sendAt: timeError, attachments: attachmentsError, rowFiles: rowFilesError } = errors;
  const isShownElsewhere = failure === null || (timeError ?? attachmentsError ?? rowFilesError) !== undefined;
  const message = isShownElsewhere ? null : sendFailure(failure);
  return { send, busy: merging.isPending, message, timeError, attachmentsError, rowFilesError };
}
