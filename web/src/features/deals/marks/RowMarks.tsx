import Paperclip from 'lucide-react/icons/paperclip';
import { useEffect } from 'react';
import { useLiveQuery } from '../../../platform/live-events.ts';
import { readQuery } from '../../../platform/read-query.ts';
import { texts as attachmentTexts } from '../../../texts/deal-attachments.ts';
import { texts } from '../../../texts/deal-comments.ts';
import { doNotContactQuery, finderOf } from '../../do-not-contact/do-not-contact.queries.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { isOverMonths } from '../deal-view.ts';
import { findContact, openComments, openFiles, rowMarks } from '../open-parts.ts';
import { useDuplicateMarks } from './use-duplicate-marks.tsx';

/** Notifications are included because reading on another page updates them. */
const changes = ['deal-comments', 'deal-attachments', 'notification'] as const;

const marksKey = ['deal-marks'] as const;

/** The rows of a month, or of all months, that have comments or files. */
const marksQuery = (month: string | undefined) =>
  readQuery([...marksKey, month ?? null], 'GET /deals/marks', {
    query: month === undefined ? {} : { month },
    background: true,
  });

/** Marks rows with comments or files, and loads the Do not contact list. Renders nothing. */
export default function RowMarks(): null {
  const { deals, view } = useDataEntry();
  useListedContacts();
  useDuplicateMarks();
  const { data } = useLiveQuery(marksQuery(isOverMonths(view) ? undefined : view.month), changes, marksKey);
  const { rows, table } = deals;
  useEffect(() => {
    if (!data) return;
    rowMarks.set(
      new Map(
        data.items.map(({ dealId, comments, unread, files }) => {
          const key = table.keyOf(dealId);
          const icon = {
            label: attachmentTexts.marked(files),
            icon: <Paperclip size={12} />,
            count: files,
            onClick: () => {
              const row = rows.get(key);
              if (row) openFiles(row);
            },
          };
          const dot = {
            label: texts.marked(comments, unread),
            className: unread > 0 ? 'unread' : 'read',
            count: unread > 0 ? unread : comments,
            onClick: () => openComments(dealId),
          };
          return [key, [...(files > 0 ? [icon] : []), ...(comments > 0 ? [dot] : [])]];
        }),
      ),
    );
  }, [data, rows, table]);
  useEffect(() => () => rowMarks.set(new Map()), []);
  return null;
}

function useListedContacts(): void {
  const { data: find } = useLiveQuery({ ...doNotContactQuery, select: finderOf }, 'do-not-contact');
  useEffect(() => {
    if (find) findContact.set(find);
  }, [find]);
  useEffect(() => () => findContact.set(() => undefined), []);
}
