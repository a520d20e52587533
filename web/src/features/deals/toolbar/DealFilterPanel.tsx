import {
  filterFieldNames,
  isShortFilter,
  MAX_FILTER_CONDITIONS,
  type ColumnFilter,
  type FilterField,
  type FilterMatch,
} from '@forecourt/contract/deal-filter-fields';
import { Button } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent, useState, type ComponentProps, type ReactNode } from 'react';
import { texts } from '../../../texts/deal-filter.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx';
import { moveFocus } from '../../../ui/move-focus.ts';
import { Segments } from '../../../ui/Segments.tsx';
import type { Opened } from '../../../ui/use-opener.ts';
import type { DealOptions } from '../deal-fields.ts';
import { filterText } from '../deal-view.ts';
import { partText } from '../views/filter-texts.ts';
import { asFilter, isFieldOffered } from '../views/filter.ts';
import {
  countConditions,
  draftOf,
  filterOfDraft,
  hasCondition,
  isComplete,
  isDraftGroup,
  newCondition,
  newGroup,
  openedCondition,
  openedDraft,
  quickConditions,
  toggleCondition,
  withPart,
  type DraftCondition,
  type DraftGroup,
  type DraftPart,
  type FilterDraft,
  type OpenedAt,
} from './filter-draft.ts';
import { FilterConditionFields, focusAdd } from './FilterConditionFields.tsx';
import styles from './DealFilterPanel.module.css';

export type DealFilterProps = {
  filter: ColumnFilter | null;
  options: DealOptions | undefined;
  openedAt: OpenedAt;
  /** Whether it is on another screen than Data Entry: without its shortcut and unsaved rows. */
  isElsewhere?: boolean;
  onChange: (filter: ColumnFilter | null) => void;
};

/** Debounce of a filter while a text is typed, in milliseconds. */
const TYPING_MS = 250;

/** The panel of the filter. Complete conditions apply at once; incomplete ones stay in it, even while it is closed. */
export default function DealFilterPanel({
  part,
  filter,
  options,
  openedAt,
  isElsewhere = false,
  onChange,
}: DealFilterProps & { part: Opened }): ReactNode {
  const [draft, change, applyNow] = useFilterDraft(filter, onChange);
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, setOpened] = useState<number | undefined>();
  if (part.opened !== wasOpened) {
    setWasOpened(part.opened);
    const shownDraft = openedDraft(draft, openedAt, options?.customFields ?? []);
    if (part.opened) change(shownDraft);
    setOpened(openedCondition(shownDraft, openedAt));
  }
  return (
    <ButtonPopover
      part={part}
      position="bottom-start"
      width={440}
      className={styles.panel}
      // No animation, so that the first key after opening has an effect.
      transitionProps={{ duration: 0 }}
    >
      {options && (
        <form
          className="ui-stack ui-gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            // Must not submit the form that contains this panel.
            event.stopPropagation();
            applyNow();
          }}
        >
          <FilterEditor
            draft={draft}
            options={options}
            isElsewhere={isElsewhere}
            opened={opened}
            onOpen={setOpened}
            onChange={change}
          />
        </form>
      )}
    </ButtonPopover>
  );
}

/**
 * The edited conditions, which follow the filter if it changes elsewhere.
 * @returns the draft, a function that changes it, and one that applies it without a delay
 */
function useFilterDraft(
  filter: ColumnFilter | null,
  onChange: (filter: ColumnFilter | null) => void,
): [FilterDraft, (draft: FilterDraft, isTyping?: boolean) => void, () => void] {
  const filterInUse = filterText(filter);
  // The filter may not be validated yet, while its script is loading.
  const [draft, setDraft] = useState(() => draftOf(asFilter(filter)));
  const [isTyping, setTyping] = useState(false);
  const [seen, setSeen] = useState(filterInUse);
  const [requested, setRequested] = useState(filterInUse);
  if (filterInUse !== seen) {
    setSeen(filterInUse);
    setRequested(filterInUse);
    // The filter was changed by a chip, a view or a link.
    if (filterInUse !== requested) setDraft(draftOf(filter));
  }
  const drafted = filterOfDraft(draft);
  const draftFilter = filterText(drafted);
  const isNew = draftFilter !== requested && (drafted === null || isShortFilter(drafted));
  const apply = (text: string | undefined): void => {
    setRequested(text);
    onChange(filterOfDraft(draft));
  };
  const applyLater = useEffectEvent(apply);
  useEffect(() => {
    if (!isNew) return undefined;
    const timer = setTimeout(() => applyLater(draftFilter), isTyping ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [isNew, draftFilter, isTyping]);
  const change = (next: FilterDraft, typing = false): void => {
    setDraft(next);
    setTyping(typing);
  };
  return [draft, change, () => isNew && apply(draftFilter)];
}

type FilterEditorProps = {
  draft: FilterDraft;
  options: DealOptions;
  isElsewhere: boolean;
  /** The key of the focused condition, whose list of values is open. */
  opened: number | undefined;
  onOpen: (key: number | undefined) => void;
  onChange: (draft: FilterDraft, isTyping?: boolean) => void;
};

function FilterEditor({
  draft,
  options,
  isElsewhere,
  opened,
  onOpen,
  onChange,
}: FilterEditorProps): ReactNode {
  const all = [...filterFieldNames, ...options.customFields.map(({ key }) => key)];
  const fields = all.filter(
    (field) => isFieldOffered(field, options) && (!isElsewhere || field !== 'isUnsaved'),
  );
  const complete = filterOfDraft(draft);
  const isTooLong = complete !== null && !isShortFilter(complete);
  const isFull = countConditions(draft) >= MAX_FILTER_CONDITIONS;
  const isIncomplete = draft.parts.some((part) =>
    isDraftGroup(part) ? !part.conditions.every(isComplete) : !isComplete(part),
  );
  const add = (part: DraftPart): void => {
    onOpen(isDraftGroup(part) ? part.conditions[0]?.key : part.key);
    onChange({ ...draft, parts: [...draft.parts, part] });
  };
  const list = { fields, options, opened, onOpen };

  return (
    <>
      {/* One tab stop, so that the first button is a key away from the first condition. */}
      <div
        role="toolbar"
        tabIndex={-1}
        aria-label={texts.quick}
        className="ui-row ui-gap-1"
        onKeyDown={moveFocus}
      >
        {quickConditions
          .filter(({ field }) => fields.includes(field))
          .map((condition, at) => {
            const isOn = hasCondition(draft, condition);
            return (
              <Button
                key={JSON.stringify(condition)}
                size="compact-sm"
                variant={isOn ? 'light' : 'default'}
                aria-pressed={isOn}
                tabIndex={at === 0 ? 0 : -1}
                onClick={() => onChange(toggleCondition(draft, condition))}
              >
                {partText(condition, options)}
              </Button>
            );
          })}
      </div>
      {draft.parts.length > 1 && (
        <MatchChoice
          label={texts.match}
          match={draft.match}
          onChange={(match) => onChange({ ...draft, match })}
        />
      )}
      {draft.parts.map((part, at) =>
        isDraftGroup(part) ? (
          <Group
            key={part.key}
            {...list}
            label={texts.group(at + 1)}
            group={part}
            isFull={isFull}
            onChange={(next, isTyping) => onChange(withPart(draft, part.key, next), isTyping)}
          />
        ) : (
          <FilterConditionFields
            key={part.key}
            {...list}
            label={texts.condition(at + 1)}
            condition={part}
            onChange={(next, isTyping) => onChange(withPart(draft, part.key, next), isTyping)}
          />
        ),
      )}
      {isIncomplete && <p className="ui-quiet">{texts.incomplete}</p>}
      {isTooLong && (
        <p role="alert" className="ui-small ui-danger">
          {texts.tooLong}
        </p>
      )}
      {isFull && <p className="ui-quiet">{texts.tooMany(MAX_FILTER_CONDITIONS)}</p>}
      <div className="ui-row">
        <AddButton data-add disabled={isFull} onClick={() => add(newCondition())}>
          {texts.addCondition}
        </AddButton>
        <AddButton disabled={isFull} onClick={() => add(newGroup())}>
          {texts.addGroup}
        </AddButton>
        <Button
          className="ui-push"
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            const blank = newCondition();
            onOpen(blank.key);
            onChange({ match: 'all', parts: [blank] });
          }}
        >
          {texts.clearAll}
        </Button>
      </div>
    </>
  );
}

const AddButton = (props: ComponentProps<typeof Button<'button'>>): ReactNode => (
  <Button variant="default" size="compact-sm" leftSection={<Plus size={14} />} {...props} />
);

type MatchChoiceProps = { label: string; match: FilterMatch; onChange: (match: FilterMatch) => void };

const MatchChoice = ({ label, match, onChange }: MatchChoiceProps): ReactNode => (
  <div className="ui-line">
    <span className="ui-muted">{label}</span>
    <Segments size="xs" aria-label={label} labels={texts.matches} value={match} onChange={onChange} />
  </div>
);

type GroupProps = Pick<FilterEditorProps, 'options' | 'opened' | 'onOpen'> & {
  fields: readonly FilterField[];
  label: string;
  group: DraftGroup;
  isFull: boolean;
  /** Null removes the group. */
  onChange: (group: DraftGroup | null, isTyping?: boolean) => void;
};

/** A group of conditions. It is removed with its last condition. */
function Group({ label, group, isFull, onChange, ...list }: GroupProps): ReactNode {
  const { conditions } = group;
  const change = (next: readonly DraftCondition[], isTyping?: boolean): void =>
    onChange(next.length === 0 ? null : { ...group, conditions: next }, isTyping);
  return (
    <fieldset className={`ui-stack ui-gap-2 ${styles.group}`}>
      <legend className="ui-hidden">{label}</legend>
      <div className="ui-line ui-between">
        <MatchChoice
          label={texts.groupMatch}
          match={group.match}
          onChange={(match) => onChange({ ...group, match })}
        />
        <IconAction
          icon={X}
          label={texts.removeGroup}
          onClick={({ currentTarget }) => {
            focusAdd(currentTarget);
            onChange(null);
          }}
        />
      </div>
      {conditions.map((condition, at) => (
        <FilterConditionFields
          key={condition.key}
          {...list}
          label={texts.condition(at + 1)}
          condition={condition}
          onChange={(next, isTyping) =>
            change(
              conditions.flatMap((other) => (other.key === condition.key ? (next ?? []) : other)),
              isTyping,
            )
          }
        />
      ))}
      <AddButton
        className={styles.addToGroup ?? ''}
        disabled={isFull}
        onClick={() => {
          const blank = newCondition();
          list.onOpen(blank.key);
          change([...conditions, blank]);
        }}
      >
        {texts.addToGroup}
      </AddButton>
    </fieldset>
  );
}
