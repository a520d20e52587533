import { MAX_DEAL_ITEMS, MAX_ITEM_QUANTITY } from '@forecourt/contract/deal-limits';
import { Select, TextInput } from '@mantine/core';
import X from 'lucide-react/icons/x';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { parseNumber, type CellValue } from '../../../grid/grid.ts';
import { formatMoney } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-items.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { FormModal } from '../../../ui/FormModal.tsx';
import { useForm, type FieldErrors } from '../../../ui/use-form.ts';
import { savedValue, type DealOptions, itemsValue, linesOf, type DealLine } from '../deal-fields.ts';
import { valueOf, type DealRow } from '../deal-row.ts';
import { sumOf } from './deal-items.ts';
import styles from './DealItems.module.css';

type DealItemsProps = {
  row: DealRow;
  customer: string;
  /** The items as a cell value. */
  value: CellValue;
  offered: DealOptions['items'];
  onSave: (value: string | null) => void;
  onClose: () => void;
};

/** A line of the form. `key` distinguishes lines of the same item. */
type Typed = { key: string; itemId: string; name: string; quantity: string; price: string };

/** The items of a deal with quantity and price (docs/product/items-and-statuses.md, Items). */
export default function DealItems(props: DealItemsProps): ReactNode {
  const { row, customer, value, offered, onSave, onClose } = props;
  const [initial] = useState(() => ({ lines: linesOf(value).map((line, at) => typedOf(line, at, offered)) }));
  const [searchText, setFound] = useState('');
  const form = useForm<{ lines: readonly Typed[] }>({
    initial,
    validate: ({ lines }) => ({
      ...lineErrors(lines),
      ...(searchText.trim() !== '' && { found: texts.unknown(searchText.trim()) }),
    }),
    submit: async ({ lines }) => {
      onSave(itemsValue(lines.map(lineOf)));
      onClose();
    },
  });
  const { lines } = form.values;
  const typedSale = typedSaleOf(row);
  const setLines = (next: readonly Typed[]): void => form.set('lines', next);
  const change = (key: string, part: Partial<Typed>): void =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...part } : line)));

  const add = (itemId: string | null): void => {
    const item = offered.find(({ _id }) => _id === itemId);
    if (!item) return;
    setFound('');
    const there = lines.find((line) => line.itemId === item._id);
    if (there) return change(there.key, { quantity: String((Number(there.quantity) || 0) + 1) });
    const line = { itemId: item._id, name: item.name, quantity: 1, unitPrice: item.price };
    setLines([...lines, typedOf(line, Date.now(), offered)]);
  };
  const choices = offered.map(({ _id, name, price }) => ({
    value: _id,
    label: price === null ? name : texts.atPrice(name, formatMoney(price)),
  }));
  /** Adds the first match if Enter comes before the list is rendered, which marks it. */
  const addUnmarked = (event: KeyboardEvent<HTMLInputElement>): void => {
    const typed = searchText.trim().toLowerCase();
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed === '') return;
    const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '');
    if (list?.querySelector('[data-combobox-selected]')) return;
    const first = choices.find(({ label }) => label.toLowerCase().includes(typed));
    if (!first) return;
    event.preventDefault();
    add(first.value);
  };
  const isFull = lines.length >= MAX_DEAL_ITEMS;
  const total = Object.keys(lineErrors(lines)).length === 0 ? sumOf(lines.map(lineOf)) : null;

  return (
    <FormModal
      title={texts.title(customer)}
      size="lg"
      form={form}
      isUnsaved={form.changed}
      submitLabel={texts.save}
      onClose={onClose}
    >
      <Select
        label={texts.add}
        placeholder={texts.addHint}
        searchable
        data-autofocus
        openOnFocus={lines.length === 0}
        // Else a timer of the opening list removes the mark that Enter needs.
        selectFirstOptionOnDropdownOpen
        readOnly={isFull}
        error={isFull ? texts.tooMany : form.errors['found']}
        nothingFoundMessage={texts.nothingFound}
        data={choices}
        value={null}
        searchValue={searchText}
        onSearchChange={(text) => {
          setFound(text);
          if (text !== searchText && form.errors['found']) form.setErrors({});
        }}
        onChange={add}
        onKeyDown={addUnmarked}
      />
      {lines.length === 0 ? (
        <p className="ui-muted">{texts.none}</p>
      ) : (
        <table className={`ui-table ${styles.lines}`}>
          <thead>
            <tr>
              <th scope="col">{texts.item}</th>
              <th scope="col">{texts.quantity}</th>
              <th scope="col">{texts.price}</th>
              <th scope="col">{texts.amount}</th>
              <th aria-label={texts.remove('')} />
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => (
              <tr key={line.key}>
                <th scope="row">{line.name}</th>
                <td>
                  <TextInput
                    aria-label={texts.quantityOf(line.name)}
                    inputMode="numeric"
                    value={line.quantity}
                    error={form.errors[`lines.${at}.quantity`]}
                    onChange={(event) => change(line.key, { quantity: event.currentTarget.value })}
                  />
                </td>
                <td>
                  <TextInput
                    aria-label={texts.priceOf(line.name)}
                    inputMode="decimal"
                    leftSection="$"
                    value={line.price}
                    error={form.errors[`lines.${at}.price`]}
                    onChange={(event) => change(line.key, { price: event.currentTarget.value })}
                  />
                </td>
                <td className={styles.amount}>{amountOf(line)}</td>
                <td>
                  <IconAction
                    label={texts.remove(line.name)}
                    icon={X}
                    onClick={() => setLines(lines.filter(({ key }) => key !== line.key))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                {texts.total}
              </th>
              <td className={styles.amount}>{total === null ? texts.byServer : formatMoney(total)}</td>
            </tr>
          </tfoot>
        </table>
      )}
      <p className="ui-muted">
        {typedSale === null ? texts.saleFollows : texts.saleStays(formatMoney(typedSale))}
      </p>
    </FormModal>
  );
}

/** Creates a line of the form. Without a price, it shows the price that the server will most likely use. */
function typedOf(line: DealLine, at: number, offered: DealOptions['items']): Typed {
  const { itemId, name, quantity } = line;
  const price = line.unitPrice ?? offered.find(({ _id }) => _id === itemId)?.price ?? null;
  return { key: `${itemId}-${at}`, itemId, name, quantity: String(quantity), price: price?.toFixed(2) ?? '' };
}

/** Parses a price; undefined if it is invalid. For an empty one the server uses its own. */
function priceOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const parsed = parseNumber(text.trim());
  return parsed.ok && typeof parsed.value === 'number' ? parsed.value : undefined;
}

const lineOf = ({ itemId, name, quantity, price }: Typed): DealLine => ({
  itemId,
  name,
  quantity: Number(quantity),
  unitPrice: priceOf(price) ?? null,
});

function lineErrors(lines: readonly Typed[]): FieldErrors {
  const errors: Record<string, string> = {};
  for (const [at, { quantity, price }] of lines.entries()) {
    if (!/^[1-9]\d*$/.test(quantity.trim()) || Number(quantity) > MAX_ITEM_QUANTITY)
      errors[`lines.${at}.quantity`] = texts.quantityError;
    if (priceOf(price) === undefined) errors[`lines.${at}.price`] = texts.priceError;
  }
  return errors;
}

function amountOf(line: Typed): string {
  if (Object.keys(lineErrors([line])).length > 0) return '';
  const amount = sumOf([lineOf(line)]);
  return amount === null ? texts.byServer : formatMoney(amount);
}

/** Returns a sale amount that differs from the sum of the items; null if there is none. */
function typedSaleOf(row: DealRow): number | null {
  const sale = valueOf(row, 'saleAmount');
  if (typeof sale !== 'number') return null;
  const lines = linesOf(savedValue(row.deal, 'items'));
  const follows = row.draft?.typed.saleAmount === undefined && lines.length > 0 && sale === sumOf(lines);
  return follows ? null : sale;
}
