import type { DealComment, WrittenComment } from '@forecourt/contract/deal-comments';
import type { DirectoryPerson } from '@forecourt/contract/users';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import MessageSquare from 'lucide-react/icons/message-square';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { draftsOf } from '../../../platform/drafts.ts';
import { formatDateTime } from '../../../platform/formats.ts';
import { newKey } from '../../../platform/ids.ts';
import { onLiveEvent, useLiveRefresh } from '../../../platform/live-events.ts';
import { viewing } from '../../../platform/view-as.ts';
import { texts } from '../../../texts/deal-comments.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { directoryQuery } from '../../users/users.queries.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { rowName } from '../deal-row.ts';
import { useTimeZone } from '../deals.queries.ts';
import { CommentForm, type CommentText } from './CommentForm.tsx';
import {
  commentsKey,
  commentsQuery,
  readComments,
  useAddComment,
  useChangeComment,
  useDeleteComment,
} from './deal-comments.queries.ts';
import { splitMentions } from './mentions.ts';
import styles from './Comments.module.css';

const ShareDeals = lazyPart(async () => ({
  default: (await import('../actions/DealSharing.tsx')).ShareDeals,
}));

type CommentsPanelProps = {
  dealId: string;
  /** Over the screen of a phone; otherwise beside the table. */
  isDrawer: boolean;
  onClose: () => void;
};

/** The comments on a row (docs/product/data-entry.md, Comments). Escape closes it. */
export default function CommentsPanel({ dealId, isDrawer, onClose }: CommentsPanelProps): ReactNode {
  const { deals } = useDataEntry();
  const key = deals.table.keyOf(dealId);
  const row = useSyncExternalStore(
    (listener) => deals.rows.subscribeRow(key, listener),
    () => deals.rows.get(key),
  );
  const name = row ? rowName(row) : '';
  const title = name === '' ? texts.title : texts.titleOf(name);
  if (isDrawer)
    return (
      <SideDrawer title={title} width={440} onClose={onClose}>
        <div className={styles.drawer}>
          <Comments dealId={dealId} />
        </div>
      </SideDrawer>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in any of its controls
    <section
      aria-label={title}
      className={styles.panel}
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

/** The comments on a row and the form of a new one, which has the focus. */
export function Comments({ dealId }: { dealId: string }): ReactNode {
  const query = useQuery(commentsQuery(dealId));
  const { data } = query;
  useLiveRefresh('deal-comments', commentsKey);
  const { refetch, error } = query;
  // The row may have been deleted, restored or hidden.
  useEffect(
    () => onLiveEvent('deal', ({ recordId }) => recordId === dealId && void refetch()),
    [dealId, refetch],
  );
  const isGone = error instanceof ApiError && error.status === 404;
  const newest = data?.items.at(-1)?._id;
  const list = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const focusForm = (): void => form.current?.querySelector('textarea')?.focus();
  const [editing, setEditing] = useState<DealComment | null>(null);
  const stored = (isGone ? undefined : data?.items) ?? [];
  const isLost = editing !== null && !stored.some(({ _id }) => _id === editing._id);
  // One that was deleted meanwhile stays with what was typed.
  const items = isLost ? [...stored, editing] : stored;
  const [deleting, setDeleting] = useState<DealComment | null>(null);
  const [written, setWritten] = useState<WrittenComment | null>(null);
  const remove = useDeleteComment(dealId);

  useEffect(() => {
    if (newest !== undefined) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
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
          {items.map((comment) => (
            <li key={comment._id}>
              {editing?._id === comment._id ? (
                <EditedComment
                  dealId={dealId}
                  comment={comment}
                  isLost={isLost}
                  onWritten={setWritten}
                  onClose={() => {
                    setEditing(null);
                    focusForm();
                  }}
                />
              ) : (
                <Comment
                  comment={comment}
                  onEdit={() => setEditing(comment)}
                  onDelete={() => setDeleting(comment)}
                />
              )}
            </li>
          ))}
        </ol>
      </div>
      {written && <WithoutAccess dealId={dealId} written={written} onClose={() => setWritten(null)} />}
      <div ref={form} data-new-comment>
        <NewComment dealId={dealId} isGone={isGone} onWritten={setWritten} />
      </div>
      {deleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirmLabel={texts.delete}
          destructive
          failed={texts.deleteFailed}
          onConfirm={async () => {
            await remove.mutateAsync(deleting._id);
            // The button that opened the dialog is gone.
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

/** Marks the comments as read while the page is visible, also new ones. */
function useMarkRead(dealId: string, newest: string | undefined): void {
  useEffect(() => {
    if (newest === undefined || viewing !== null) return undefined;
    const read = (): void => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', read);
      // They stay unread until the next time.
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
        <p className={styles.author}>
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
            <span key={index} className={styles.mention}>
              {text}
            </span>
          ),
        )}
      </p>
    </article>
  );
}

const noText: CommentText = { body: '', chosen: [] };

/** Returns the people who can be mentioned: the active ones, except the user. */
function useMentionable(): readonly DirectoryPerson[] {
  const { userId } = useDataEntry();
  const { data } = useQuery(directoryQuery);
  return useMemo(() => (data?.items ?? []).filter(({ _id }) => _id !== userId), [data, userId]);
}

type Draft = CommentText & {
  readonly key: string;
  /** A text that was sent, and the key of its request: sent again after a reload it must not be added twice. */
  readonly attempt?: { readonly of: string; readonly key: string };
};

/** The form of a new comment. Its text is stored until it is sent (docs/product/data-entry.md, Nothing typed is lost). */
function NewComment({
  dealId,
  isGone,
  onWritten,
}: {
  dealId: string;
  /** The row does not exist any more, or not for the user. */
  isGone: boolean;
  onWritten: (written: WrittenComment) => void;
}): ReactNode {
  const { userId } = useDataEntry();
  const people = useMentionable();
  const drafts = useMemo(() => draftsOf<Draft>(userId, 'deal-comment'), [userId]);
  const [text, setText] = useState<Omit<Draft, 'key'> | null>(null);
  const add = useAddComment(dealId);

  useEffect(() => {
    let isOver = false;
    const show = (stored: readonly Draft[]): void => {
      const draft = stored.find(({ key }) => key === dealId);
      if (!isOver) setText((typed) => typed ?? draft ?? noText);
    };
    drafts.all().then(show, () => show([]));
    return () => {
      isOver = true;
    };
  }, [drafts, dealId]);

  const type = async (typed: Omit<Draft, 'key'>): Promise<void> => {
    setText(typed);
    const stored = typed.body === '' ? drafts.delete([dealId]) : drafts.save([{ ...typed, key: dealId }]);
    await stored.catch(() => undefined);
  };
  if (text === null) return null;
  return (
    <CommentForm
      label={texts.newComment}
      submitLabel={texts.send}
      refusal={isGone ? texts.rowGone : undefined}
      people={people}
      text={text}
      onType={(typed) => void type(typed)}
      onSubmit={async (comment) => {
        const of = JSON.stringify(comment);
        const attempt = text.attempt?.of === of ? text.attempt : { of, key: newKey() };
        await type({ ...text, attempt });
        const written = await add.mutateAsync({ ...comment, idempotencyKey: attempt.key });
        void type(noText);
        onWritten(written);
      }}
    />
  );
}

type EditedCommentProps = {
  dealId: string;
  comment: DealComment;
  /** Somebody has deleted it. */
  isLost: boolean;
  onWritten: (written: WrittenComment) => void;
  onClose: () => void;
};

function EditedComment({ dealId, comment, isLost, onWritten, onClose }: EditedCommentProps): ReactNode {
  const people = useMentionable();
  const change = useChangeComment(dealId);
  // What another window saves meanwhile is a conflict, and is replaced when the user saves again.
  const [version, setVersion] = useState(comment.version);
  const [text, setText] = useState<CommentText>({
    body: comment.body,
    chosen: comment.mentions.map(({ _id }) => _id),
  });
  return (
    <CommentForm
      label={texts.editTitle}
      submitLabel={texts.save}
      refusal={isLost ? texts.deletedMeanwhile : undefined}
      people={people}
      text={text}
      onType={setText}
      onSubmit={async (changed) => {
        try {
          onWritten(await change.mutateAsync({ ...changed, commentId: comment._id, version }));
          onClose();
        } catch (thrown) {
          if (thrown instanceof ApiError && thrown.code === 'CONFLICT')
            setVersion((thrown.current as DealComment).version);
          throw thrown;
        }
      }}
      onCancel={onClose}
    />
  );
}

const CloseNote = ({ onClose }: { onClose: () => void }): ReactNode => (
  <IconAction label={texts.closeNote} icon={X} size={14} onClick={onClose} />
);

type WithoutAccessProps = { dealId: string; written: WrittenComment; onClose: () => void };

/** Names the mentioned people who cannot see the row or have no share of it, and offers to share it. */
function WithoutAccess({ dealId, written, onClose }: WithoutAccessProps): ReactNode {
  const { deals } = useDataEntry();
  const [sharing, setSharing] = useState(false);
  const { withoutAccess } = written;
  const deal = deals.rows.get(deals.table.keyOf(dealId))?.deal;
  const canShare = deal?.abilities.share === true;
  const named = (people: readonly { name: string }[]): string => people.map(({ name }) => name).join(', ');
  const [unseen, seen] = [false, true].map((sees) => withoutAccess.filter(({ seesRow }) => seesRow === sees));
  if (withoutAccess.length === 0) return null;
  return (
    <div role="status" className="ui-stack ui-gap-2">
      {unseen!.length > 0 && (
        <Notice action={seen!.length === 0 && <CloseNote onClose={onClose} />}>
          {texts.cannotSee(named(unseen!), unseen!.length)}
        </Notice>
      )}
      {seen!.length > 0 && (
        <Notice
          action={
            <span className="ui-line">
              {canShare && (
                <Button size="compact-sm" variant="default" onClick={() => setSharing(true)}>
                  {texts.share}
                </Button>
              )}
              <CloseNote onClose={onClose} />
            </span>
          }
        >
          {texts.noShare(named(seen!), seen!.length)} {!canShare && texts.askToShare(deal?.ownerName)}
        </Notice>
      )}
      {sharing && deal && (
        <Suspense>
          <ShareDeals
            deals={[deal]}
            share={async (...given) => {
              await deals.actions.share(...given);
              onClose();
            }}
            onClose={() => setSharing(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
