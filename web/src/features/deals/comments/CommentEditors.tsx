import type { DealComment, WrittenComment } from '@forecourt/contract/deal-comments';
import type { DirectoryPerson } from '@forecourt/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { directoryQuery } from '../../../platform/directory.ts';
import { draftsOf } from '../../../platform/drafts.ts';
import { newKey } from '../../../platform/ids.ts';
import { texts } from '../../../texts/deal-comments.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { CommentForm, type CommentText } from './CommentForm.tsx';
import { useAddComment, useChangeComment } from './deal-comments.queries.ts';

const noText: CommentText = { body: '', chosen: [] };

/** Returns the active users except the current one, who can be mentioned. */
function useMentionable(): readonly DirectoryPerson[] {
  const { userId } = useDataEntry();
  const { data } = useQuery(directoryQuery);
  return useMemo(() => (data?.items ?? []).filter(({ _id }) => _id !== userId), [data, userId]);
}

type Draft = CommentText & {
  readonly key: string;
  /** The text of a request and its key: a repetition after a reload must not add the comment twice. */
  readonly attempt?: { readonly of: string; readonly key: string };
};

/** The form of a new comment. Its text is stored until it is sent (docs/product/data-entry.md, Nothing typed is lost). */
export function NewComment({
  dealId,
  takesFocus,
  isGone,
  onWritten,
}: {
  dealId: string;
  takesFocus: boolean;
  /** The row was deleted, or is hidden from the user. */
  isGone: boolean;
  onWritten: (written: WrittenComment) => void;
}): ReactNode {
  const { userId } = useDataEntry();
  const people = useMentionable();
  const drafts = useMemo(() => draftsOf<Draft>(userId, 'deal-comment'), [userId]);
  const [text, setText] = useState<Omit<Draft, 'key'> | null>(null);
  const add = useAddComment();

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
      takesFocus={takesFocus}
      refusal={isGone ? texts.rowGone : undefined}
      people={people}
      text={text}
      onType={(typed) => void type(typed)}
      onSubmit={async (comment) => {
        const of = JSON.stringify(comment);
        const attempt = text.attempt?.of === of ? text.attempt : { of, key: newKey() };
        await type({ ...text, attempt });
        const params = { id: dealId };
        const written = await add.mutateAsync({ params, body: comment, idempotencyKey: attempt.key });
        void type(noText);
        onWritten(written);
      }}
    />
  );
}

/** An edit of a comment, stored until it is saved or cancelled. */
export type CommentEdit = CommentText & {
  readonly key: string;
  readonly dealId: string;
  /** The version of the comment on which the edit is based. */
  readonly comment: DealComment;
  /** The edit was stored before the comments were opened. */
  readonly isRestored?: true;
};

/**
 * The edits of comments of a row, including those from before a reload (docs/product/data-entry.md, Nothing typed is
 * lost).
 * @param comments undefined until they are loaded
 */
export function useCommentEdits(dealId: string, comments: readonly DealComment[] | undefined) {
  const { userId } = useDataEntry();
  const drafts = useMemo(() => draftsOf<CommentEdit>(userId, 'deal-comment-edit'), [userId]);
  const [edits, setEdits] = useState<readonly CommentEdit[]>([]);
  const isLoaded = comments !== undefined;
  const deleteDrafts = (keys: readonly string[]): void => void drafts.delete(keys).catch(() => undefined);

  const restore = useEffectEvent((stored: readonly CommentEdit[]) => {
    const isKnown = ({ key }: CommentEdit): boolean => edits.some((edit) => edit.key === key);
    const storedEdits = stored.filter((edit) => edit.dealId === dealId && !isKnown(edit));
    // Some edits were saved although their response was lost: their drafts are deleted.
    const [unsaved = [], saved = []] = [false, true].map((isSaved) =>
      storedEdits.filter(
        ({ key, body }) => isSaved === comments?.some((one) => one._id === key && one.body === body),
      ),
    );
    if (saved.length > 0) deleteDrafts(saved.map(({ key }) => key));
    if (unsaved.length > 0)
      setEdits([...edits, ...unsaved.map((edit) => ({ ...edit, isRestored: true as const }))]);
  });
  useEffect(() => {
    let isOver = false;
    const load = async (): Promise<void> => {
      const stored = await drafts.all().catch(() => []);
      if (!isOver) restore(stored);
    };
    if (isLoaded) void load();
    return () => {
      isOver = true;
    };
  }, [drafts, isLoaded]);

  return {
    edits,
    begin(comment: DealComment): void {
      const { _id, body, mentions } = comment;
      setEdits([...edits, { key: _id, dealId, comment, body, chosen: mentions.map((person) => person._id) }]);
    },
    change(changed: CommentEdit): void {
      setEdits((current) => current.map((edit) => (edit.key === changed.key ? changed : edit)));
      if (changed.body === changed.comment.body) deleteDrafts([changed.key]);
      else void drafts.save([changed]).catch(() => undefined);
    },
    end(key: string): void {
      setEdits((current) => current.filter((edit) => edit.key !== key));
      deleteDrafts([key]);
    },
  };
}

type EditedCommentProps = {
  edit: CommentEdit;
  /** The comment was deleted. */
  isLost: boolean;
  onChange: (edit: CommentEdit) => void;
  onWritten: (written: WrittenComment) => void;
  onClose: () => void;
};

export function EditedComment({ edit, isLost, onChange, onWritten, onClose }: EditedCommentProps): ReactNode {
  const { dealId, comment, isRestored } = edit;
  const people = useMentionable();
  const change = useChangeComment();
  const root = useRef<HTMLDivElement>(null);
  // A new editor gets the focus.
  useEffect(() => {
    if (isRestored) root.current?.scrollIntoView({ block: 'nearest' });
  }, [isRestored]);
  return (
    <div ref={root}>
      <CommentForm
        label={texts.editTitle}
        submitLabel={texts.save}
        refusal={isLost ? texts.deletedMeanwhile : undefined}
        people={people}
        text={edit}
        takesFocus={!isRestored}
        onType={(text) => onChange({ ...edit, ...text })}
        onSubmit={async (changed) => {
          try {
            const params = { id: dealId, commentId: comment._id };
            const body = { ...changed, version: comment.version };
            onWritten(await change.mutateAsync({ params, body }));
            onClose();
          } catch (thrown) {
            // Another page saved a different text, which the next save replaces.
            if (thrown instanceof ApiError && thrown.code === 'CONFLICT')
              onChange({ ...edit, comment: thrown.current as DealComment });
            throw thrown;
          }
        }}
        onCancel={onClose}
      />
    </div>
  );
}
