import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { MergeChoice } from '@forecourt/contract/deal-merge';
import { Button, Checkbox, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { formatMonth } from '../../../platform/formats.ts';
import { newKey } from '../../../platform/ids.ts';
import { texts } from '../../../texts/deal-merge.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ValueChanges } from '../../../ui/ChangeEntry.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FormMessage } from '../../../ui/FormMessage.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { toggled } from '../../../ui/table/selection.ts';
import { ClosedMonths } from '../ClosedMonths.tsx';
import { describeChange, nameOf } from '../history/change-texts.ts';
import { mergePreviewQuery, type MergeBody } from './deal-merge.queries.ts';
import { offerUndo } from './offer-undo.ts';
import { useDealActions } from './row-actions.ts';

type MergeRowsProps = {
  /** The rows; the first one stays unless another one is chosen. */
  rows: readonly [ExistingDeal, ExistingDeal, ...ExistingDeal[]];
  /** The rows that are merged only if they are ticked. */
  candidates?: readonly string[] | undefined;
  onClose: () => void;
  onDone?: ((survivor: string) => void) | undefined;
  /** Called after the merge was taken back by the button of its message. */
  onUndone?: () => void;
};

type Choice = {
  survivor: string;
  unticked: ReadonlySet<string>;
  /** The row whose value was chosen, by field. */
  values: Readonly<Record<string, string>>;
  /** `join`, or the row whose items were chosen; null: the server decides. */
  items: string | null;
};

/** The preview of a merge, in which the row that stays and the value of each field are chosen. */
export default function MergeRows({
  rows,
  candidates,
  onClose,
  onDone,
  onUndone,
}: MergeRowsProps): ReactNode {
  const timeZone = useTimeZone();
  const { merge } = useDealActions();
  const [choice, setChoice] = useState<Choice>({
    survivor: rows[0]._id,
    unticked: new Set(candidates),
    values: {},
    items: null,
  });
  const { survivor, unticked, values, items } = choice;
  const change = (part: Partial<Choice>): void => setChoice({ ...choice, ...part });
  const ids = rows.map(({ _id }) => _id);
  const [message, setMessage] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);

  const others = ids.filter((id) => id !== survivor && !unticked.has(id));
  const isMerged = (id: string): boolean => id === survivor || others.includes(id);
  const body: MergeBody = {
    survivor,
    others: others.length > 0 ? others : ids.filter((id) => id !== survivor),
    values: Object.fromEntries(Object.entries(values).filter(([, id]) => isMerged(id))),
    ...(items !== null && (items === 'join' || isMerged(items)) && { items }),
  };
  const query = useQuery(mergePreviewQuery(body));
  const { data } = query;
  // The choices of the last preview stay while a preview fails, so that the refused choice can be changed.
  const [shown, setShown] = useState(data);
  if (data !== undefined && data !== shown) setShown(data);
  /** Returns the source that the user has chosen, before the preview has been loaded again. */
  const sourceOf = ({ field, from }: MergeChoice): string | null => {
    if (field === 'items' && body.items !== undefined) return body.items === 'join' ? null : body.items;
    return body.values?.[field] ?? from;
  };
  // Another choice is another request.
  const idempotencyKey = useMemo(() => [choice, newKey()] as const, [choice])[1];

  const run = async (): Promise<void> => {
    setMessage(null);
    setPending(true);
    try {
      const versions = Object.fromEntries((data?.rows ?? []).map(({ _id, version }) => [_id, version]));
      const undo = await merge({ ...body, versions }, idempotencyKey);
      onClose();
      onDone?.(survivor);
      const count = others.length + 1;
      const takeBack = (): ReturnType<typeof undo> => undo().finally(onUndone);
      offerUndo(texts.done(count), takeBack, texts.undone(count));
    } catch (thrown) {
      setMessage(messageOf(thrown, texts.failed));
      void query.refetch();
    }
    setPending(false);
  };

  const { comments, attachments, emails = 0 } = data?.moved ?? { comments: 0, attachments: 0 };
  const moves = texts.moves(comments, attachments, emails);

  return (
    <Dialog title={texts.title} size="lg" onClose={() => isPending || onClose()}>
      <div className="ui-stack">
        <FormMessage text={message} />
        <p>{texts.note}</p>
        <ClosedMonths months={rows.map(({ month }) => month)} />
        <fieldset className="ui-stack ui-gap-2">
          <legend className="ui-strong">{texts.survivor}</legend>
          {rows.map((row) => (
            <Option
              key={row._id}
              name="survivor"
              isChecked={row._id === survivor}
              onChoose={() => change({ survivor: row._id })}
            >
              {row.customerName ?? common.unnamed}
              <span className="ui-sub">
                {[row.dealershipName, formatMonth(row.month), row.customerNumber, row.dealNumber]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </Option>
          ))}
        </fieldset>
        {rows.length > 2 && (
          <fieldset className="ui-stack ui-gap-2">
            <legend className="ui-strong">{texts.others}</legend>
            {rows
              .filter(({ _id }) => _id !== survivor)
              .map(({ _id, customerName = common.unnamed, month }) => (
                <Checkbox
                  key={_id}
                  label={`${customerName}, ${formatMonth(month)}`}
                  checked={!unticked.has(_id)}
                  onChange={() => change({ unticked: toggled(unticked, [], _id) })}
                />
              ))}
          </fieldset>
        )}
        {shown?.choices.map((one) => (
          <FieldChoice
            key={one.field}
            choice={one}
            from={sourceOf(one)}
            rowIds={shown.rows.map(({ _id }) => _id)}
            timeZone={timeZone}
            onChoose={(id) =>
              change(
                one.field === 'items' ? { items: id ?? 'join' } : { values: { ...values, [one.field]: id! } },
              )
            }
          />
        ))}
        <Loaded of={query} message={texts.previewFailed} loading={<Loader size={20} />} />
        {data && data.changes.length > 0 && (
          <section aria-label={texts.after}>
            <h3 className="ui-strong">{texts.after}</h3>
            <ValueChanges
              className="ui-mt-2"
              changes={data.changes.map((change) => describeChange(change, false, timeZone))}
            />
          </section>
        )}
        {moves !== '' && <p className="ui-muted">{moves}</p>}
        {data?.losesAccess && <Notice>{texts.losesAccess}</Notice>}
      </div>
      <div className="ui-line ui-end ui-mt-5">
        <Button variant="default" disabled={isPending} onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button
          disabled={!data || query.isPlaceholderData || others.length === 0}
          loading={isPending}
          onClick={() => void run()}
        >
          {others.length === 0 ? texts.title : texts.submit(others.length + 1)}
        </Button>
      </div>
    </Dialog>
  );
}

type FieldChoiceProps = {
  choice: MergeChoice;
  /** The row of the chosen value; null for the items of all rows. */
  from: string | null;
  rowIds: readonly string[];
  timeZone: string;
  /** Called with the row of the chosen value; null for the items of all rows. */
  onChoose: (id: string | null) => void;
};

/** The different values of a field. */
function FieldChoice({ choice, from, rowIds, timeZone, onChoose }: FieldChoiceProps): ReactNode {
  const { field, custom, values, canJoin } = choice;
  const named = { field, ...(custom && { custom }) };
  const textOf = (value: MergeChoice['values'][number]): string =>
    value === null || (Array.isArray(value) && value.length === 0)
      ? texts.empty
      : describeChange({ ...named, before: null, after: value }, false, timeZone).after;
  const all = values.flatMap((value, index) =>
    field === 'owner' && value === null ? [] : { id: rowIds[index]!, text: textOf(value) },
  );
  const chosen = all.find(({ id }) => id === from)?.text;
  const options = [...Map.groupBy(all, ({ text }) => text)].map(([text, [first]]) => ({
    text,
    id: first!.id,
  }));
  const lists = values.flatMap((value) => (Array.isArray(value) && value.length > 0 ? [textOf(value)] : []));
  return (
    <fieldset className="ui-stack ui-gap-2">
      <legend className="ui-strong">{nameOf(named)}</legend>
      {canJoin && (
        <Option name={field} isChecked={from === null} onChoose={() => onChoose(null)}>
          {texts.joinItems(lists.join(', '))}
        </Option>
      )}
      {options.map(({ id, text }) => (
        <Option key={id} name={field} isChecked={text === chosen} onChoose={() => onChoose(id)}>
          {text}
        </Option>
      ))}
    </fieldset>
  );
}

type OptionProps = { name: string; isChecked: boolean; onChoose: () => void; children: ReactNode };

const Option = ({ name, isChecked, onChoose, children }: OptionProps): ReactNode => (
  <label className="ui-line ui-top">
    <input
      type="radio"
      className="ui-mt-1"
      name={`merge-${name}`}
      checked={isChecked}
      data-autofocus={(name === 'survivor' && isChecked) || undefined}
      onChange={onChoose}
    />
    <span className="ui-anywhere">{children}</span>
  </label>
);
