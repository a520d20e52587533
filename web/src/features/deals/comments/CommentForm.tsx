import { hasVisibleText, isAtMost } from '@forecourt/contract/characters';
import { MAX_COMMENT_LENGTH } from '@forecourt/contract/deal-limits';
import { tooLongMessage } from '@forecourt/contract/too-long';
import type { DirectoryPerson } from '@forecourt/contract/users';
import { Button, Textarea } from '@mantine/core';
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '../../../platform/api-error.ts';
import { viewing } from '../../../platform/view-as.ts';
import { texts } from '../../../texts/deal-comments.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { FormMessage } from '../../../ui/FormMessage.tsx';
import { mentionAt, mentionedIn, offeredPeople, withMention } from './mentions.ts';
import styles from './Comments.module.css';

/** A text, and the ids of users chosen for its mentions. */
export type CommentText = { readonly body: string; readonly chosen: readonly string[] };

type CommentFormProps = {
  label: string;
  submitLabel: string;
  /** Active people, who can be mentioned. */
  people: readonly DirectoryPerson[];
  text: CommentText;
  /** Whether it gets the focus when it opens; default: true. */
  takesFocus?: boolean;
  /** Why it cannot be saved now. */
  refusal?: string | undefined;
  onType: (text: CommentText) => void;
  /** Saves the comment. If it rejects, the reason is shown and the text stays. */
  onSubmit: (comment: { body: string; mentions: string[] }) => Promise<void>;
  /** Absent for a new comment. */
  onCancel?: () => void;
};

/** The text of a comment, with a list of users after `@`; Escape closes only the list. Ctrl+Enter saves. */
export function CommentForm(props: CommentFormProps): ReactNode {
  const { label, submitLabel, people, text, takesFocus = true, refusal, onType, onSubmit, onCancel } = props;
  const { body, chosen } = text;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(body.length);
  /** The position of the mention whose list was closed. */
  const [closed, setClosed] = useState<number | null>(null);
  const [marked, setMarked] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const mention = mentionAt(body, cursor);
  const offered = mention && mention.from !== closed ? offeredPeople(people, mention.query) : [];
  const at = Math.min(marked, offered.length - 1);

  useLayoutEffect(() => {
    if (!takesFocus) return;
    const text = field.current;
    text?.focus({ preventScroll: true });
    // The cursor is placed after a restored text.
    text?.setSelectionRange(text.value.length, text.value.length);
  }, [takesFocus]);

  const blocked = viewing === null ? refusal : texts.viewOnly;
  const problem =
    blocked ??
    (!hasVisibleText(body)
      ? texts.writeFirst
      : isAtMost(body.trim(), MAX_COMMENT_LENGTH)
        ? null
        : tooLongMessage(MAX_COMMENT_LENGTH));
  const isTooLong = problem === tooLongMessage(MAX_COMMENT_LENGTH);

  const choose = (person: DirectoryPerson): void => {
    if (!mention) return;
    const next = withMention(body, cursor, mention, person);
    // The cursor is set after the render, because a new value moves it to the end of the text.
    flushSync(() => {
      setCursor(next.cursor);
      setMarked(0);
      onType({ body: next.text, chosen: [...chosen, person._id] });
    });
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(next.cursor, next.cursor);
  };
  const submit = async (): Promise<void> => {
    if (problem !== null || isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await onSubmit({ body, mentions: mentionedIn(body, people, chosen) });
    } catch (thrown) {
      setFailure(messageOf(thrown, texts.sendFailed));
    }
    // A disabled button loses the focus, and the panel would no longer receive keys.
    flushSync(() => setBusy(false));
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true });
  };

  function onKeyDown(event: KeyboardEvent): void {
    // During composition, keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return void submit();
    }
    const person = offered[at];
    if (person === undefined) {
      if (event.key !== 'Escape' || !onCancel) return;
      event.stopPropagation();
      return onCancel();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setMarked((at + step + offered.length) % offered.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) choose(person);
    else if (event.key === 'Escape') {
      setClosed(mention?.from ?? null);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  }

  const follow = (): void => setCursor(field.current?.selectionStart ?? 0);
  const list = `${id}people`;
  return (
    <form
      className={`ui-stack ui-gap-2 ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FormMessage text={refusal ?? failure} />
      {offered.length > 0 && (
        <div id={list} role="listbox" aria-label={texts.people} className={`ui-card ${styles.people}`}>
          {offered.map((person, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field has the keys
            <div
              key={person._id}
              id={`${list}${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={`ui-stack ui-gap-0 ${styles.person}`}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
            >
              <span className="ui-strong">{person.name}</span>
              <span className="ui-quiet ui-ellipsis">{person.email}</span>
            </div>
          ))}
        </div>
      )}
      <Textarea
        ref={field}
        autosize
        minRows={onCancel ? 1 : 2}
        maxRows={8}
        aria-label={label}
        placeholder={texts.placeholder}
        value={body}
        error={isTooLong && problem}
        // Text typed while a new comment is sent would be lost when it is cleared.
        readOnly={viewing !== null || isBusy}
        // The text field is a combobox only while the list is open.
        {...(offered.length > 0 && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-haspopup': 'listbox',
          'aria-controls': list,
          'aria-activedescendant': `${list}${at}`,
          'aria-autocomplete': 'list',
        })}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          setCursor(selectionStart);
          setMarked(0);
          if (!mentionAt(value, selectionStart)) setClosed(null);
          onType({ body: value, chosen });
        }}
        onSelect={follow}
        onKeyDown={onKeyDown}
      />
      <div className="ui-line ui-between">
        <span className={`ui-quiet ${styles.keys}`}>{onCancel ? texts.saveKeys : texts.sendKeys}</span>
        <span className="ui-line">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {texts.cancel}
            </Button>
          )}
          <ActionButton
            ability={problem ?? true}
            loading={isBusy}
            aria-keyshortcuts="Control+Enter"
            onClick={() => void submit()}
          >
            {submitLabel}
          </ActionButton>
        </span>
      </div>
    </form>
  );
}
