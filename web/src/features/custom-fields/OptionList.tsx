import { MAX_CUSTOM_FIELD_OPTIONS } from '@forecourt/contract/custom-field-types';
import { Button, TextInput } from '@mantine/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Plus from 'lucide-react/icons/plus';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../texts/custom-fields.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import type { FieldErrors } from '../../ui/use-form.ts';
import { newOption, sentOptions, type OptionRow } from './field-values.ts';

type OptionListProps = {
  options: readonly OptionRow[];
  /** Errors of the whole form. Keys of options are such as `options.0.name`. */
  errors: FieldErrors;
  onChange: (options: readonly OptionRow[]) => void;
};

/** The options of a select: added, renamed, moved and deactivated. Only unsaved ones can be removed. */
export function OptionList({ options, errors, onChange }: OptionListProps): ReactNode {
  const root = useRef<HTMLFieldSetElement>(null);
  const focus = useRef<string | null>(null);

  useEffect(() => {
    const target = focus.current;
    focus.current = null;
    if (target !== null) root.current?.querySelector<HTMLElement>(`[data-option="${target}"] input`)?.focus();
  });

  const isFull = options.length >= MAX_CUSTOM_FIELD_OPTIONS;
  const sent = sentOptions({ type: 'select', options });

  const addAfter = (index: number): void => {
    const next = options[index + 1];
    const isUnused = next !== undefined && !next.isSaved && next.name === '';
    if (!isUnused && isFull) return;
    const added = isUnused ? next : newOption();
    focus.current = added.key;
    onChange(isUnused ? [...options] : options.toSpliced(index + 1, 0, added));
  };

  const move = (index: number, step: 1 | -1): void => {
    const option = options[index];
    if (option === undefined || options[index + step] === undefined) return;
    focus.current = option.key;
    onChange(options.toSpliced(index, 1).toSpliced(index + step, 0, option));
  };

  const remove = (index: number): void => {
    focus.current = (options[index - 1] ?? options[index + 1])?.key ?? null;
    onChange(options.toSpliced(index, 1));
  };

  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const step = event.altKey ? { ArrowUp: -1 as const, ArrowDown: 1 as const }[event.key] : undefined;
    if (event.key !== 'Enter' && !step) return;
    event.preventDefault();
    if (step) move(index, step);
    else if (options[index]?.name.trim()) addAfter(index);
  };

  return (
    <fieldset ref={root} className="ui-part">
      <legend className="ui-title">{texts.options}</legend>
      <p className="ui-quiet ui-keys">{texts.optionsNote}</p>
      <ol className="ui-stack ui-gap-2 ui-mb-3">
        {options.map((option, index) => {
          const { key, isSaved, name, active } = option;
          const label = name.trim() || texts.option(index + 1);
          const set = (part: Partial<OptionRow>): void =>
            onChange(options.map((other) => (other === option ? { ...option, ...part } : other)));
          return (
            <li key={key} className="ui-line ui-gap-1" data-option={key}>
              <TextInput
                className="ui-grow"
                aria-label={texts.option(index + 1)}
                aria-keyshortcuts="Enter Alt+ArrowUp Alt+ArrowDown"
                placeholder={texts.option(index + 1)}
                value={name}
                error={
                  errors[`options.${sent.indexOf(option)}.name`] ??
                  (index === 0 ? errors['options'] : undefined)
                }
                description={active ? undefined : texts.notOffered}
                inputWrapperOrder={['input', 'error', 'description']}
                onChange={(event) => set({ name: event.currentTarget.value })}
                onKeyDown={(event) => onKeyDown(event, index)}
              />
              <IconAction
                icon={ArrowUp}
                label={texts.optionUp(label)}
                ability={index > 0 || texts.first}
                onClick={() => move(index, -1)}
              />
              <IconAction
                icon={ArrowDown}
                label={texts.optionDown(label)}
                ability={index < options.length - 1 || texts.last}
                onClick={() => move(index, 1)}
              />
              {isSaved ? (
                <IconAction
                  icon={active ? PowerOff : Power}
                  label={active ? texts.optionDeactivate(label) : texts.optionActivate(label)}
                  onClick={() => set({ active: !active })}
                />
              ) : (
                <IconAction icon={X} label={texts.optionRemove(label)} onClick={() => remove(index)} />
              )}
            </li>
          );
        })}
      </ol>
      <Button
        variant="default"
        leftSection={<Plus />}
        onClick={() => addAfter(options.length - 1)}
        disabled={isFull}
      >
        {texts.addOption}
      </Button>
    </fieldset>
  );
}
