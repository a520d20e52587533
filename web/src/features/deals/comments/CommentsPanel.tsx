import type { DealComment, WrittenComment } from '@forecourt/contract/deal-comments';
import MessageSquare from 'lucide-react/icons/message-square';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { formatDateTime } from '../../../platform/formats.ts';
import { onLiveEvent, useLiveQuery } from '../../../platform/live-events.ts';
import { viewing } from '../../../platform/view-as.ts';
import { texts } from '../../../texts/deal-comments.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { useDataEntry, useRow } from '../data-entry-context.ts';
import { rowName } from '../deal-row.ts';
import { EditedComment, NewComment, useCommentEdits, type CommentEdit } from './CommentEditors.tsx';
import { commentsKey, commentsQuery, readComments, useDeleteComment } from './deal-comments.queries.ts';
import { splitMentions } from './mentions.ts';
import styles from './Comments.module.css';

type CommentsPanelProps = {
  dealId: string;
  /** Whether the panel covers the screen of a phone; otherwise it is beside the table. */
  isDrawer: boolean;
  onClose: () => void;
};

/** The comments on a row (docs/product/data-entry.md, Comments). Escape closes it. */
export default function CommentsPanel({ dealId, isDrawer, onClose }: CommentsPanelProps): ReactNode {
  const { deals } = useDataEntry();
  const row = useRow(deals.table.keyOf(dealId));
  const name = row ? rowName(row) : '';
  const title = name === '' ? texts.title : texts.titleOf(name);
  if (isDrawer)
    return (
      <SideDrawer title={title} width={440} onClose={onClose}>
        <div className={`ui-stack ui-gap-3 ${styles.drawer}`}>
          <Comments dealId={dealId} />
        </div>
      </SideDrawer>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in any of its controls
    <section
      aria-label={title}
      className={`ui-stack ui-gap-3 ui-fixed ${styles.panel}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={`ui-line ui-between ${styles.head}`}>
        <h2 className="ui-title ui-ellipsis">{title}</h2>
        <IconAction label={texts.close} icon={X} onClick={onClose} />
      </div>
      <Comments dealId={dealId} />
    </section>
  );
}

type CommentsProps = {
  dealId: string;
  /** Id of the comment in a link. */
  linkedId?: string | undefined;
};

/** The comments on a row and a form for a new one, which gets the focus unless a link names a comment. */
export function Comments({ dealId, linkedId }: CommentsProps): ReactNode {
  const query = useLiveQuery(commentsQuery(dealId), 'deal-comments', commentsKey);
  const { data } = query;
  const { refetch, error } = query;
  // Comments of a row that was deleted, restored or hidden must be loaded again.
  useEffect(
    () => onLiveEvent('deal', ({ recordId }) => recordId === dealId && void refetch()),
    [dealId, refetch],
  );
  const isGone = error instanceof ApiError && error.status === 404;
  const newest = data?.items.at(-1)?._id;
  const list = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const focusForm = (): void => form.current?.querySelector('textarea')?.focus();
  const { edits, ...editing } = useCommentEdits(dealId, data?.items);
  const stored = (isGone ? undefined : data?.items) ?? [];
  const isLost = ({ key }: CommentEdit): boolean => !stored.some(({ _id }) => _id === key);
  // Deleted comments stay as long as their edit has unsaved text.
  const items = [...stored, ...edits.filter(isLost).map(({ comment }) => comment)];
  const [deleting, setDeleting] = useState<DealComment | null>(null);
  const [written, setWritten] = useState<WrittenComment | null>(null);
  const remove = useDeleteComment();

  const hasLinked = linkedId !== undefined && stored.some(({ _id }) => _id === linkedId);
  useEffect(() => {
    if (newest !== undefined) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
  // Runs after the scroll to the newest comment.
  useEffect(() => {
    const comment = hasLinked ? list.current?.querySelector<HTMLElement>('[data-shown]') : null;
    comment?.scrollIntoView({ block: 'center' });
    comment?.focus({ preventScroll: true });
  }, [hasLinked]);
  useMarkRead(dealId, newest);

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by the keyboard */}
      <div ref={list} role="log" aria-label={texts.list} tabIndex={0} className={styles.list}>
        {!isGone && <Loaded of={query} message={texts.loadFailed} />}
        {!isGone && data?.total === 0 && (
          <EmptyState icon={<MessageSquare />} title={texts.empty}>
            {texts.emptyNote}
          </EmptyState>
        )}
        <ol className="ui-stack">
          {items.map((comment) => {
            const edit = edits.find(({ key }) => key === comment._id);
            return (
              <li
                key={comment._id}
                className={styles.comment}
                {...(comment._id === linkedId && { 'data-shown': true, tabIndex: -1 })}
              >
                {edit ? (
                  <EditedComment
                    edit={edit}
                    isLost={isLost(edit)}
                    onChange={(changed) => editing.change(changed)}
                    onWritten={setWritten}
                    onClose={() => {
                      editing.end(edit.key);
                      focusForm();
                    }}
                  />
                ) : (
                  <Comment
                    comment={comment}
                    onEdit={() => editing.begin(comment)}
                    onDelete={() => setDeleting(comment)}
                  />
                )}
              </li>
            );
          })}
        </ol>
      </div>
      {written && <WithoutAccess written={written} onClose={() => setWritten(null)} />}
      <div ref={form} data-new-comment>
        <NewComment
          dealId={dealId}
          takesFocus={linkedId === undefined}
          isGone={isGone}
          onWritten={setWritten}
        />
      </div>
      {deleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirmLabel={texts.delete}
          destructive
          failed={texts.deleteFailed}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: dealId, commentId: deleting._id } });
            // The button that opened the dialog was removed.
            focusForm();
          }}
          onClose={() => setDeleting(null)}
        >
          {texts.deleteQuestion}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Marks comments, including new ones, as read while the page is visible. */
function useMarkRead(dealId: string, newest: string | undefined): void {
  useEffect(() => {
    if (newest === undefined || viewing !== null) return undefined;
    const read = (): void => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', read);
      // After a failure they stay unread until the next visit.
      readComments(dealId, newest).catch(() => undefined);
    };
    document.addEventListener('visibilitychange', read);
    read();
    return () => document.removeEventListener('visibilitychange', read);
  }, [dealId, newest]);
}

type CommentProps = { comment: DealComment; onEdit: () => void; onDelete: () => void };

function Comment({ comment, onEdit, onDelete }: CommentProps): ReactNode {
  const { body, authorName, mentions, createdAt, editedAt, abilities } = comment;
  const timeZone = useTimeZone();
  const names = mentions.map(({ name }) => name);
  return (
    <article className="ui-stack ui-gap-1">
      <div className="ui-line ui-between">
        <p className="ui-grow">
          <strong>{authorName}</strong>{' '}
          <span className="ui-quiet">
            <time dateTime={createdAt}>{formatDateTime(createdAt, timeZone)}</time>
            {editedAt !== null && `, ${texts.edited}`}
          </span>
        </p>
        {viewing === null && (
          <span className="ui-line ui-gap-0">
            {abilities.edit === true && (
              <IconAction
                label={texts.ofAuthor(texts.edit, authorName)}
                icon={Pencil}
                size={14}
                onClick={onEdit}
              />
            )}
            {abilities.delete === true && (
              <IconAction
                label={texts.ofAuthor(texts.delete, authorName)}
                icon={Trash2}
                size={14}
                onClick={onDelete}
              />
            )}
          </span>
        )}
      </div>
      <p className={styles.body}>
        {splitMentions(body, names).map(({ text, mention }, index) =>
          mention === undefined ? (
            text
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
            <span key={index} className={`ui-strong ui-accent ${styles.mention}`}>
              {text}
            </span>
          ),
        )}
      </p>
    </article>
  );
}

/** Names the mentioned users who cannot see the row. */
function WithoutAccess({ written, onClose }: { written: WrittenComment; onClose: () => void }): ReactNode {
  const { withoutAccess } = written;
  if (withoutAccess.length === 0) return null;
  const names = withoutAccess.map(({ name }) => name).join(', ');
  return (
    <div role="status">
      <Notice action={<IconAction label={texts.closeNote} icon={X} size={14} onClick={onClose} />}>
        {texts.cannotSee(names, withoutAccess.length)}
      </Notice>
    </div>
  );
}
