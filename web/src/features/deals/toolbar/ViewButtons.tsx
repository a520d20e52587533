import { Button } from '@mantine/core';
import Columns3 from 'lucide-react/icons/columns-3';
import Funnel from 'lucide-react/icons/funnel';
import LayoutList from 'lucide-react/icons/layout-list';
import { Suspense, type ReactNode } from 'react';
import { lazyAfterFirstPaint } from '../../../platform/first-screen.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { texts } from '../../../texts/deal-views.ts';
import { texts as common } from '../../../texts/deals.ts';
import { useOpener } from '../../../ui/use-opener.ts';
import { dealViewsKey } from '../../deal-views/deal-views.queries.ts';
import { isFiltered } from '../views/filters.ts';
import type { UsedView } from '../views/use-saved-views.ts';
import type { ColumnChooserProps } from './ColumnPanel.tsx';
import type { DealFilterProps } from './DealFilterPanel.tsx';
import styles from './ViewButtons.module.css';

const ColumnPanel = lazyAfterFirstPaint(() => import('./ColumnPanel.tsx'));
const DealFilterPanel = lazyAfterFirstPaint(() => import('./DealFilterPanel.tsx'));
const DealViewsMenu = lazyAfterFirstPaint(() => import('../views/DealViewsMenu.tsx'));

/** The button and menu of the saved views, with the name of the active one and whether it has changes. */
export function DealViews({ used }: { used: UsedView }): ReactNode {
  const { button, part } = useOpener('menu');
  useLiveRefresh('deal-view', dealViewsKey);
  return (
    <>
      <Button variant="default" leftSection={<LayoutList />} {...button}>
        <span className="ui-hidden">{texts.view}</span>
        <span className={`ui-ellipsis ${styles.name}`}>{used.view?.name ?? texts.allDeals}</span>
        {used.changed && <span className={styles.changed}> {texts.changed}</span>}
      </Button>
      <Suspense>{part && <DealViewsMenu part={part} used={used} />}</Suspense>
    </>
  );
}

/** The button and panel of the filters by status, dealership and owner. */
export function DealFilterButton(props: DealFilterProps): ReactNode {
  const { filters, options } = props;
  const { button, part } = useOpener('dialog');
  const dealership = options?.dealerships.find(({ _id }) => _id === filters.dealershipId)?.name ?? '';
  const owner = options?.owners.find(({ _id }) => _id === filters.owner)?.name ?? '';
  const chosen = [filters.status, dealership, owner].filter((name) => name !== '');
  const filtered = isFiltered(filters);
  return (
    <>
      <Button
        variant={filtered ? 'light' : 'default'}
        leftSection={<Funnel {...(filtered && { fill: 'currentColor' })} />}
        {...button}
      >
        {filtered ? texts.filters(chosen.length) : texts.filter}
        {filtered && <span className="ui-hidden">{texts.filtered(chosen.join(', '))}</span>}
      </Button>
      <Suspense>{part && <DealFilterPanel part={part} {...props} />}</Suspense>
    </>
  );
}

/** The button and panel that show, order and pin columns (docs/product/data-entry.md, Columns and saved views). */
export function ColumnChooser(props: ColumnChooserProps): ReactNode {
  const { button, part } = useOpener('dialog');
  return (
    <>
      <Button variant="default" leftSection={<Columns3 />} {...button}>
        {common.columnsMenu}
      </Button>
      <Suspense>{part && <ColumnPanel part={part} {...props} />}</Suspense>
    </>
  );
}
