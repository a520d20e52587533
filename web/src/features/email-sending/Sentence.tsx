import type { MessageNote } from '@forecourt/contract/email-sending';
import { Button, Textarea } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-sending.ts';
import { labelChoices } from '../../ui/choices.ts';
import { Segments } from '../../ui/Segments.tsx';

const focusAtOnce = (field: HTMLElement | null): void => field?.focus();

type SentenceProps = {
  /** The note as typed; null if nothing is added. */
  value: MessageNote | null;
  onChange: (value: MessageNote | null) => void;
  error?: string | undefined;
};

/** The note that the sender adds to one message, above or below the text of the template. */
export function Sentence({ value, onChange, error }: SentenceProps): ReactNode {
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
          data={labelChoices(texts.places)}
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
