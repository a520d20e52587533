import type { ClosedStatement } from '@forecourt/contract/statements';
import { Button, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/statements.ts';
import { Card } from '../../ui/Card.tsx';
import { descriptionBelow, FormModal } from '../../ui/FormModal.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useAnswer, useAsk } from './statements.queries.ts';
import styles from './Conversation.module.css';

type Note = ClosedStatement['notes'][number];
type ConversationProps = ClosedStatement & { zone: string };

/** Who saw and who was sent a statement, and its questions and answers, oldest first. */
export function Conversation({ zone, ...statement }: ConversationProps): ReactNode {
  const { notes, abilities } = statement;
  const [writing, setWriting] = useState<'query' | 'answer' | null>(null);
  const canAsk = abilities.query === true;
  const canAnswer = abilities.answer === true;
  if (notes.length === 0 && !canAsk) return null;
  return (
    <Card
      title={texts.conversation}
      aside={
        (canAsk || canAnswer) && (
          <div className="ui-row">
            {canAsk && (
              <Button variant="default" onClick={() => setWriting('query')}>
                {texts.query}
              </Button>
            )}
            {canAnswer && <Button onClick={() => setWriting('answer')}>{texts.answer}</Button>}
          </div>
        )
      }
    >
      {notes.length === 0 ? (
        <p className="ui-quiet">
          {texts.noNotes} {texts.askNote}
        </p>
      ) : (
        <ol className="ui-lines">
          {notes.map((note) => (
            <li key={note._id}>
              <p>
                <strong>{note.byName}</strong> {doneBy(note)}{' '}
                <time className="ui-muted" dateTime={note.at}>
                  {formatDateTime(note.at, zone)}
                </time>
              </p>
              {note.kind !== 'sent' && note.text !== '' && (
                <p className={`ui-mt-1 ui-anywhere ${styles.text}`}>{note.text}</p>
              )}
            </li>
          ))}
        </ol>
      )}
      {writing && <NoteForm {...statement} kind={writing} onClose={() => setWriting(null)} />}
    </Card>
  );
}

function doneBy({ kind, text }: Note): string {
  if (kind === 'sent') return texts.sentBy(text);
  return { seen: texts.seenBy, query: texts.queriedBy, answer: texts.answeredBy }[kind];
}

type NoteFormProps = Pick<ClosedStatement, '_id' | 'number' | 'recipientName'> & {
  kind: 'query' | 'answer';
  onClose: () => void;
};

/** The form of a question or an answer. */
function NoteForm({ kind, _id, number, recipientName, onClose }: NoteFormProps): ReactNode {
  const send = { query: useAsk().mutateAsync, answer: useAnswer().mutateAsync }[kind];
  const words = texts.noteForm[kind];
  const form = useRecordForm({
    valuesOf: () => ({ text: '' }),
    schema: 'statementNote',
    failed: words.failed,
    send: (body, idempotencyKey) => send({ params: { id: _id }, body, idempotencyKey }),
    sent: words.sent,
    onClose,
  });
  return (
    <FormModal
      title={words.title(number)}
      form={form}
      submitLabel={words.submit}
      isUnsaved={form.changed}
      onClose={onClose}
    >
      <Textarea
        label={words.text}
        description={words.hint(recipientName)}
        {...descriptionBelow}
        autosize
        minRows={4}
        withAsterisk
        data-autofocus
        {...form.text('text')}
      />
    </FormModal>
  );
}
