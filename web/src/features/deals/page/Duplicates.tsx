import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Deal } from '@forecourt/contract/deals';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMonth } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { paths } from '../../../platform/paths.ts';
import { texts } from '../../../texts/deal-page.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Card } from '../../../ui/Card.tsx';
import { mergeAction } from '../actions/merge-actions.ts';
import type { DealRow } from '../deal-row.ts';
import { duplicatesKey, useDuplicates } from './deal-page.queries.ts';

/** Minimum time between loads in milliseconds: a change of any row may add or remove a duplicate. */
const REST_MS = 5000;

/** The possible duplicates of a row, which can be merged with it. */
export function Duplicates({ row, deal }: { row: DealRow; deal: Deal }): ReactNode {
  useLiveRefresh('deal', duplicatesKey, REST_MS);
  const duplicates = useDuplicates(deal._id);
  const merge = mergeAction({ rows: [row], duplicates, onDeleted: () => undefined });
  return (
    merge && (
      <Card
        title={texts.duplicates}
        aside={
          <ActionButton variant="default" ability={merge.ability} onClick={merge.run}>
            {merge.label}
          </ActionButton>
        }
      >
        <ul className="ui-stack ui-gap-2">
          {duplicates.map((other) => (
            <li key={other._id}>
              {/* The table below stays unchanged, so that going back restores the position. */}
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
    )
  );
}

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a !== '' && a.toLowerCase() === b?.toLowerCase();

function sameText(deal: Deal, other: ExistingDeal): string {
  const isNumber = isSame(other.dealNumber, deal.dealNumber);
  if (!isNumber) return texts.samePhone;
  return isSame(other.customerNumber, deal.customerNumber) ? texts.sameBoth : texts.sameNumber;
}
