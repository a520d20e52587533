import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Deal } from '@forecourt/contract/deals';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { formatMonth } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { paths } from '../../../platform/paths.ts';
import { texts as mergeTexts } from '../../../texts/deal-merge.ts';
import { texts } from '../../../texts/deal-page.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Card } from '../../../ui/Card.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { mergeAbility } from '../actions/more-actions.ts';
import type { DealRow } from '../deal-row.ts';
import { duplicatesKey, duplicatesQuery } from './deal-page.queries.ts';

const MergeRows = lazyPart(() => import('../actions/MergeRows.tsx'));

/** Minimum time between loads in milliseconds: a change of any row may add or remove a duplicate. */
const REST_MS = 5000;

type TwoOrMore = readonly [ExistingDeal, ExistingDeal, ...ExistingDeal[]];

/** The possible duplicates of a row, which can be merged with it. */
export function Duplicates({ row, deal }: { row: DealRow; deal: Deal }): ReactNode {
  useLiveRefresh('deal', duplicatesKey, REST_MS);
  const { data } = useQuery(duplicatesQuery(deal._id));
  // The rows of the moment at which the dialog was opened: later duplicates were not seen by the person.
  const [merging, setMerging] = useState<TwoOrMore | null>(null);
  const [first, ...more] = data?.items ?? [];
  const ability = mergeAbility([row]);
  return (
    <>
      {merging && (
        <Suspense>
          <MergeRows
            rows={merging}
            candidates={merging.slice(2).map(({ _id }) => _id)}
            onClose={() => setMerging(null)}
          />
        </Suspense>
      )}
      {data && first && (
        <Card
          title={texts.duplicates}
          aside={
            <ActionButton
              variant="default"
              // Whoever may edit the row but not delete it may delete none of the others.
              ability={ability === true && deal.abilities.delete !== true ? common.mayNotDelete : ability}
              onClick={() => setMerging([deal, first, ...more])}
            >
              {mergeTexts.openDuplicates}
            </ActionButton>
          }
        >
          <ul className="ui-stack ui-gap-2">
            {data.items.map((other) => (
              <li key={other._id}>
                {/* The table below stays unchanged, so that going back restores the position. */}
                <Anchor
                  component={Link}
                  to={paths.deal(other._id)}
                  search
                  state={{ canGoBack: true }}
                  inherit
                >
                  {[other.customerName ?? common.unnamed, other.dealershipName, formatMonth(other.month)]
                    .filter(Boolean)
                    .join(', ')}
                </Anchor>
                <span className="ui-sub">{sameText(deal, other)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a !== '' && a.toLowerCase() === b?.toLowerCase();

function sameText(deal: Deal, other: ExistingDeal): string {
  const isNumber = isSame(other.dealNumber, deal.dealNumber);
  if (!isNumber) return texts.samePhone;
  return isSame(other.customerNumber, deal.customerNumber) ? texts.sameBoth : texts.sameNumber;
}
