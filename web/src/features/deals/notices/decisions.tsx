import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { Deal } from '@forecourt/contract/deals';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { changesOf, type CellValue, type Refusal } from '../../../grid/grid.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts } from '../../../texts/deal-notices.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { useWindowKey } from '../../../ui/use-window-key.ts';
import { actionKeys, pressedKeys } from '../action-keys.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealField } from '../deal-fields.ts';
import type { DealDraft, DealRow, UnsentReason } from '../deal-row.ts';
import type { DraftSync } from '../sync/draft-sync.ts';
import { entriesOf, refusalsOf } from '../sync/draft.ts';
import { canParse, createClock, formatValue } from '../sync/field-conflicts.ts';

/** Why a value is not saved: a conflict, a refusal, or a text that cannot be parsed. */
type Reason = UnsentReason | { readonly kind: 'unread'; readonly message: string; readonly refusal: Refusal };

/** A typed value that needs the user's decision. */
export type Decision = { key: string; field: DealField; mine: CellValue; reason: Reason };

export const decisionsOf = (draft: DealDraft): Decision[] => [
  ...entriesOf(draft).flatMap(([field, { value, hold }]): Decision[] =>
    hold === undefined ? [] : [{ key: draft.key, field, mine: value, reason: hold }],
  ),
  ...refusalsOf(draft).map(([field, refusal]): Decision => ({
    key: draft.key,
    field,
    mine: refusal.text,
    reason: { kind: 'unread', message: refusal.message, refusal },
  })),
];

/** Returns row, column and texts of a decision. A column may be hidden from a user who has typed in it. */
export function useDecisionParts({ field, mine, reason }: Decision) {
  const { columns } = useDataEntry();
  const timeZone = useTimeZone();
  const column = columns.find(({ id }) => id === field);
  return {
    column,
    name: column?.header ?? (isCustomKey(field) ? customTexts.retired : common.columns[field]),
    mine: reason.kind !== 'unread' && column ? formatValue(column, mine, timeZone) : String(mine ?? ''),
  };
}

/** The actions that decide a conflict. Keeping the own value needs the stored deal. */
function conflictActions(
  draftSync: Pick<DraftSync, 'keepMine' | 'discardField'>,
  { key, field, reason }: Decision,
  deal: Deal | null,
) {
  if (reason.kind !== 'conflict') return [];
  const { keepMine, takeTheirs } = actionKeys;
  const take = { label: texts.takeTheirs, keys: takeTheirs, run: () => draftSync.discardField(key, field) };
  if (deal === null) return [take];
  return [{ label: texts.keepMine, keys: keepMine, run: () => draftSync.keepMine(key, field, deal) }, take];
}

/**
 * Alt+M keeps the user's value of a conflict, Alt+T takes the other one. A held key decides once.
 * @param find returns the decision to which the keys apply
 */
export function useDecisionKeys(
  find: (event: KeyboardEvent) => Decision | undefined,
  onDecided?: () => void,
): void {
  const { draftSync, rows } = useDataEntry().deals;
  useWindowKey((event) => {
    const alone = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.repeat;
    const decision = alone ? find(event) : undefined;
    if (!decision) return;
    const deal = rows.get(decision.key)?.deal ?? null;
    const keys = pressedKeys(event);
    const action = conflictActions(draftSync, decision, deal).find((each) => each.keys === keys);
    if (!action) return;
    action.run();
    event.preventDefault();
    onDecided?.();
  });
}

type DecisionButtonsProps = {
  decision: Decision;
  /** Undefined if the table does not have the row. */
  row: DealRow | undefined;
  /** Moves the focus, because the buttons disappear after the decision. */
  onDecided: () => void;
};

/** Keep mine and take theirs after a conflict; otherwise try again, save or discard. */
export function DecisionButtons({ decision, row, onDecided }: DecisionButtonsProps): ReactNode {
  const { deals } = useDataEntry();
  const timeZone = useTimeZone();
  const { column, mine } = useDecisionParts(decision);
  const { draftSync } = deals;
  const { key, field, reason } = decision;
  const deal = row?.deal ?? null;
  const then = (decide: () => void) => () => {
    decide();
    onDecided();
  };
  if (reason.kind === 'conflict' && deal !== null)
    return (
      <>
        {conflictActions(draftSync, decision, deal).map(({ keys, label, run }) => (
          <Button key={keys} variant="default" onClick={then(run)}>
            {label}
          </Button>
        ))}
      </>
    );
  const discard = (): void => {
    if (reason.kind !== 'unread') return draftSync.discardField(key, field);
    deals.onCommand({ changes: [], cleared: [{ key, columnId: field, ...reason.refusal }] });
  };
  const isReadable = reason.kind === 'unread' && column !== undefined && canParse(column, mine, timeZone);
  const save = (): void => {
    if (!column) return;
    deals.onCommand(changesOf([{ key, column, text: mine }], deals.rows.get, createClock(timeZone)));
  };
  const canSave = row ? (column?.blockedReason?.(row) ?? true) : texts.rowElsewhere;
  return (
    <>
      {isReadable && (
        <ActionButton variant="default" ability={canSave} onClick={then(save)}>
          {texts.save}
        </ActionButton>
      )}
      {reason.kind === 'refused' && (
        <Button variant="default" onClick={then(() => draftSync.tryAgain(key))}>
          {texts.tryAgain}
        </Button>
      )}
      <Button variant="default" onClick={then(discard)}>
        {texts.discard}
      </Button>
    </>
  );
}
