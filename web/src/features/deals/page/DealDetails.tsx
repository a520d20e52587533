import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Deal } from '@forecourt/contract/deals';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { displayText, type GridColumn } from '../../../grid/grid.ts';
import { formatMonth } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { paths } from '../../../platform/paths.ts';
import { texts as fileTexts } from '../../../texts/deal-attachments.ts';
import { texts } from '../../../texts/deal-page.ts';
import { texts as common } from '../../../texts/deals.ts';
import { Card } from '../../../ui/Card.tsx';
import { DealFiles } from '../attachments/DealAttachments.tsx';
import { safeAddress } from '../custom/custom-values.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { linesOf } from '../deal-fields.ts';
import { valueOf, type DealRow } from '../deal-row.ts';
import { useTimeZone } from '../deals.queries.ts';
import { formatItems, formatPricedItems } from '../items/deal-items.ts';
import { duplicatesKey, duplicatesQuery } from './deal-page.queries.ts';
import styles from './DealPage.module.css';

/** Fields in the header of the page. */
const inHeader = new Set(['status', 'customerName', 'dealershipId', 'owner', 'month']);

/** Returns a function that returns the text of a column; empty for one that does not exist for the user. */
export const textsOf =
  ({ columns }: Pick<ReturnType<typeof useDataEntry>, 'columns'>, row: DealRow, timeZone = '') =>
  (id: string): string => {
    const column = columns.find((each) => each.id === id);
    return column && row.deal && id in row.deal ? displayText(column, row, timeZone) : '';
  };

/** The fields of the row in the order of the columns, its files, and the rows that may be its duplicates. */
export function DealDetails({ dealId, row }: { dealId: string; row: DealRow }): ReactNode {
  const { columns, options } = useDataEntry();
  const timeZone = useTimeZone();
  const { deal } = row;
  if (deal === null) return null;
  return (
    <div className="ui-stack">
      <Card title={texts.details}>
        <dl className={styles.fields}>
          {columns
            .filter(({ id }) =>
              isCustomKey(id) ? valueOf(row, id) !== null : id in deal && !inHeader.has(id),
            )
            .map((column) => {
              const reason = column.invalidReason?.(row);
              const custom = options?.customFields.find(({ key }) => key === column.id);
              const address = custom?.type === 'link' ? safeAddress(column.get(row)) : null;
              return (
                <div
                  key={column.id}
                  data-wide={
                    column.id === 'notes' || column.id === 'items' || custom?.type === 'longText' || undefined
                  }
                >
                  <dt>{column.header}</dt>
                  <dd>
                    {address === null ? (
                      (detailText(row, column) ?? (displayText(column, row, timeZone) || texts.none))
                    ) : (
                      <Anchor href={address} target="_blank" rel="noopener noreferrer" inherit>
                        {address}
                      </Anchor>
                    )}
                    {reason != null && <span className="ui-sub ui-danger">{reason}</span>}
                  </dd>
                </div>
              );
            })}
        </dl>
      </Card>
      <div tabIndex={-1} data-files className={styles.files}>
        <Card title={fileTexts.title}>
          <DealFiles
            dealId={dealId}
            ability={deal.abilities.edit === true || common.ownedBy(deal.ownerName)}
          />
        </Card>
      </div>
      <Duplicates dealId={dealId} deal={deal} />
    </div>
  );
}

/** Returns the text of a field that the table shows shorter; undefined for other fields and an empty value. */
function detailText(row: DealRow, { id, type, get }: GridColumn<DealRow>): string | undefined {
  if (type === 'multiline') return String(get(row) ?? '') || undefined;
  const value = id === 'items' ? valueOf(row, 'items') : null;
  if (value === null) return undefined;
  // One that is not saved yet may have no price.
  const priced = linesOf(value).flatMap((line) =>
    line.unitPrice === null ? [] : formatPricedItems([{ ...line, unitPrice: line.unitPrice }]),
  );
  return priced.length === linesOf(value).length ? priced.join('\n') : formatItems(value);
}

/** Minimum time between two loads, in milliseconds: a change of any row may make or end a duplicate. */
const REST_MS = 5000;

function Duplicates({ dealId, deal }: { dealId: string; deal: Deal }): ReactNode {
  useLiveRefresh('deal', duplicatesKey, REST_MS);
  const { data } = useQuery(duplicatesQuery(dealId));
  if (data === undefined || data.total === 0) return null;
  return (
    <Card title={texts.duplicates}>
      <ul className="ui-stack ui-gap-2">
        {data.items.map((other) => (
          <li key={other._id}>
            {/* The table stays as it is, so that going back leads to its place. */}
            <Anchor component={Link} to={paths.deal(other._id)} search state={{ canGoBack: true }} inherit>
              {[other.customerName ?? common.unnamed, other.dealershipName, formatMonth(other.month)]
                .filter(Boolean)
                .join(', ')}
            </Anchor>
            <span className="ui-sub">{sameText(deal, other)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a !== '' && a.toLowerCase() === b?.toLowerCase();

function sameText(deal: Deal, other: ExistingDeal): string {
  const isNumber = isSame(other.dealNumber, deal.dealNumber);
  if (!isNumber) return texts.samePhone;
  return isSame(other.customerNumber, deal.customerNumber) ? texts.sameBoth : texts.sameNumber;
}
