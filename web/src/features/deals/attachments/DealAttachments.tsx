import { MAX_DEAL_ATTACHMENT_BYTES, MAX_DEAL_ATTACHMENTS } from '@forecourt/contract/attachment-limits';
import type { DealAttachment } from '@forecourt/contract/deal-attachments';
import type { Ability } from '@forecourt/contract/route';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import File from 'lucide-react/icons/file';
import Image from 'lucide-react/icons/image';
import Paperclip from 'lucide-react/icons/paperclip';
import Trash2 from 'lucide-react/icons/trash-2';
import { useRef, useState, type ReactNode } from 'react';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { formatDateTime, formatSize } from '../../../platform/formats.ts';
import { useLiveQuery } from '../../../platform/live-events.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { viewing } from '../../../platform/view-as.ts';
import { texts } from '../../../texts/deal-attachments.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LeaveWarning } from '../../../ui/LeaveWarning.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { toastFailed } from '../../../ui/toasts.ts';
import { UploadField } from '../../../ui/uploads/UploadField.tsx';
import { useUploads, type Uploads } from '../../../ui/uploads/use-uploads.ts';
import {
  addDealAttachment,
  dealAttachmentsKey,
  dealAttachmentsQuery,
  dealImageQuery,
  downloadDealAttachment,
  useRemoveDealAttachment,
} from './deal-attachments.queries.ts';
import styles from './DealAttachments.module.css';

/** Image types that every browser can display. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Larger images are loaded only when they are opened; in bytes. */
const MAX_SHOWN_BYTES = 5 * 1024 * 1024;

type DealAttachmentsProps = {
  deal: { _id: string; customerName: string };
  /** Whether the viewer may add and remove files. */
  ability: Ability;
  onClose: () => void;
};

/** The files of a row in a dialog (docs/product/data-entry.md, Attachments). Must stay open during an upload. */
export default function DealAttachments({ deal, ability, onClose }: DealAttachmentsProps): ReactNode {
  const list = useListState();
  const { isBusy } = list.uploads;
  const close = (): void => {
    if (!isBusy) onClose();
  };
  return (
    <Dialog title={texts.titleOf(deal.customerName)} size="lg" onClose={close}>
      <div className="ui-stack">
        <AttachmentList dealId={deal._id} ability={ability} {...list} />
      </div>
      <div className="ui-line ui-end ui-mt-5">
        <Button variant="default" disabled={isBusy} onClick={close}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}

/** The files on the page of the row, with images as pictures. */
export function DealFiles({ dealId, ability }: Pick<AttachmentListProps, 'dealId' | 'ability'>): ReactNode {
  const list = useListState();
  return (
    <div className={`ui-stack ${styles.page}`}>
      <LeaveWarning when={list.uploads.isBusy} title={texts.leaveTitle} confirmLabel={texts.leave}>
        {texts.leaveQuestion}
      </LeaveWarning>
      <AttachmentList dealId={dealId} ability={ability} {...list} isOnPage />
    </div>
  );
}

/** The state that the list and the dialog around it share. */
function useListState() {
  const uploads = useUploads({
    limits: { count: MAX_DEAL_ATTACHMENTS, each: MAX_DEAL_ATTACHMENT_BYTES },
    onStored: () => void queryClient.invalidateQueries({ queryKey: dealAttachmentsKey }),
  });
  const [removing, onRemove] = useState<DealAttachment | null>(null);
  return { uploads, removing, onRemove };
}

type AttachmentListProps = {
  dealId: string;
  ability: Ability;
  uploads: Uploads;
  /** The file to remove after a confirmation. */
  removing: DealAttachment | null;
  onRemove: (file: DealAttachment | null) => void;
  /** Whether it is on the page of a deal, which displays images, and an empty list as one line. */
  isOnPage?: boolean;
};

function AttachmentList(props: AttachmentListProps): ReactNode {
  const { dealId, ability, uploads, removing, onRemove, isOnPage = false } = props;
  const query = useLiveQuery(dealAttachmentsQuery(dealId), 'deal-attachments', dealAttachmentsKey);
  const remove = useRemoveDealAttachment();
  const list = useRef<HTMLUListElement>(null);
  const files = query.data?.items ?? [];
  const canChange = ability === true && viewing === null;
  return (
    <>
      <Loaded of={query} message={texts.loadFailed} />
      {query.data?.total === 0 && isOnPage && <p className="ui-muted">{texts.empty}</p>}
      {query.data?.total === 0 && !isOnPage && (
        <EmptyState icon={<Paperclip />} title={texts.empty}>
          {canChange ? texts.emptyNote : ability !== true && ability}
        </EmptyState>
      )}
      {files.length > 0 && (
        <ul ref={list} className="ui-lines" aria-label={texts.list} tabIndex={-1}>
          {files.map((file) => (
            <li key={file._id}>
              <StoredFile
                dealId={dealId}
                file={file}
                onRemove={canChange ? () => onRemove(file) : undefined}
                showsImage={isOnPage && file.size <= MAX_SHOWN_BYTES}
              />
            </li>
          ))}
        </ul>
      )}
      {canChange && query.data?.space && <Notice>{texts.space(query.data.space)}</Notice>}
      {canChange && (
        <UploadField
          label={texts.add}
          listLabel={texts.add}
          uploads={uploads}
          refused={texts.refused}
          onFiles={(chosen) =>
            uploads.add(
              chosen.map((file) => ({
                name: file.name,
                size: file.size,
                run: (how) => addDealAttachment(dealId, file, how),
              })),
            )
          }
        />
      )}
      {removing && (
        <ConfirmDialog
          title={texts.removeTitle}
          confirmLabel={texts.remove}
          destructive
          failed={texts.removeFailed}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: dealId, attachmentId: removing._id } });
            // The button that opened the dialog was removed, so the list gets the focus.
            list.current?.focus();
          }}
          onClose={() => onRemove(null)}
        >
          {texts.removeQuestion(removing.name)}
        </ConfirmDialog>
      )}
    </>
  );
}

type StoredFileProps = {
  dealId: string;
  file: DealAttachment;
  onRemove: (() => void) | undefined;
  showsImage: boolean;
};

function StoredFile({ dealId, file, onRemove, showsImage }: StoredFileProps): ReactNode {
  const { name, size, type, createdByName, createdAt } = file;
  const timeZone = useTimeZone();
  const [isLarge, setIsLarge] = useState(showsImage);
  // The server refuses files during impersonation.
  const isImage = IMAGES.has(type) && viewing === null;
  const isLoaded = isImage && (size <= MAX_SHOWN_BYTES || isLarge);
  const image = useQuery({ ...dealImageQuery(dealId, file._id), enabled: isLoaded });
  const download = (): void =>
    void downloadDealAttachment(dealId, file).catch((error: unknown) =>
      toastFailed(error, texts.downloadFailed),
    );
  return (
    <>
      <div className="ui-line ui-gap-3">
        {isImage ? (
          <button
            type="button"
            className={styles.thumbnail}
            aria-label={texts.show(name)}
            aria-expanded={isLarge}
            onClick={() => setIsLarge(!isLarge)}
          >
            {image.data === undefined ? <Image /> : <img src={image.data} alt="" />}
          </button>
        ) : (
          <File className={styles.icon} />
        )}
        <div className="ui-grow">
          <p className="ui-anywhere">
            {name} <span className="ui-quiet">{formatSize(size)}</span>
          </p>
          <p className="ui-small ui-muted">
            {texts.addedBy(createdByName, formatDateTime(createdAt, timeZone))}
          </p>
          {image.isError && <p className="ui-small ui-danger">{texts.imageFailed}</p>}
        </div>
        <IconAction label={texts.download(name)} icon={Download} onClick={download} />
        {onRemove && <IconAction label={`${texts.remove} ${name}`} icon={Trash2} onClick={onRemove} />}
      </div>
      {isLarge && image.data !== undefined && <img src={image.data} alt={name} className={styles.image} />}
    </>
  );
}
