import { MAX_ATTACHMENTS, MAX_ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatSize } from '../../platform/formats.ts';
import type { freshQuery } from '../../platform/read-query.ts';
import { texts } from '../../texts/email-attachments.ts';
import { sumOf } from '../../ui/uploads/upload-list.ts';
import { UploadField } from '../../ui/uploads/UploadField.tsx';
import { useUploads, type Uploads } from '../../ui/uploads/use-uploads.ts';
import { addAttachment, copyAttachment, removeAttachment } from './email-sending.queries.ts';
import styles from './SendEmailDialog.module.css';

/** Files for an email. They are removed from the server if nothing is sent. */
export const useAttachments = (): Uploads =>
  useUploads({
    limits: { count: MAX_ATTACHMENTS, total: MAX_ATTACHMENTS_BYTES },
    discard: removeAttachment,
  });

type AttachmentsProps = {
  attachments: Uploads;
  /** The server's message about all files. */
  error?: string | undefined;
};

export function Attachments({ attachments, error }: AttachmentsProps): ReactNode {
  const { files, add } = attachments;
  return (
    <UploadField
      label={texts.title}
      listLabel={texts.list}
      uploads={attachments}
      refused={texts.refused}
      note={files.length > 0 && texts.sum(formatSize(sumOf(files)), formatSize(MAX_ATTACHMENTS_BYTES))}
      error={error}
      onFiles={(chosen) =>
        add(
          chosen.map((file) => ({
            name: file.name,
            size: file.size,
            run: (how) => addAttachment(file, how),
          })),
        )
      }
    />
  );
}

/** A deal to send email about, and the query of its files. */
export type DealToSend = {
  _id: string;
  customerName: string;
  files: ReturnType<typeof freshQuery<'GET /deals/:id/attachments'>>;
};

/** The files of a deal, each with a tick that attaches a copy. */
export function RowFiles({ deal, attachments }: { deal: DealToSend; attachments: Uploads }): ReactNode {
  const { data } = useQuery(deal.files);
  if (!data || data.total === 0) return null;
  return (
    <fieldset className={styles.files}>
      <legend className="ui-small ui-muted">{texts.ofRow}</legend>
      <div className="ui-stack ui-gap-1">
        {data.items.map(({ _id, name, size }) => {
          const copy = attachments.files.find(({ sourceId }) => sourceId === _id);
          return (
            <Checkbox
              key={_id}
              label={`${name} (${formatSize(size)})`}
              checked={copy !== undefined}
              onChange={() =>
                copy
                  ? attachments.remove(copy.key)
                  : attachments.add([
                      {
                        name,
                        size,
                        sourceId: _id,
                        run: ({ signal }) => copyAttachment(deal._id, _id, signal),
                      },
                    ])
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}
