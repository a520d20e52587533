import { Select } from '@mantine/core';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/template-preview.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useWindowKey } from '../../ui/use-window-key.ts';
import type { useSampleDeals } from './use-sample-deals.ts';
import styles from './TemplatePreview.module.css';

/** The values of the preview: those of the deal, the longest possible, or none. */
export type Filling = 'deal' | 'longest' | 'empty';

const fillings: { value: Filling; label: string }[] = [
  { value: 'deal', label: texts.asItIs },
  { value: 'longest', label: texts.longest },
  { value: 'empty', label: texts.empty },
];

type PreviewChoiceProps = {
  deals: ReturnType<typeof useSampleDeals>;
  filling: Filling;
  onFilling: (filling: Filling) => void;
};

/** Chooses the deal of the preview: by search, or by buttons and keys; or the longest values. */
export function PreviewChoice({ deals, filling, onFilling }: PreviewChoiceProps): ReactNode {
  const { deal, offered, hasNeighbour } = deals;
  useStepKeys(deals.step);
  return (
    <div className="ui-row ui-bottom">
      <Select
        className={styles.deal}
        label={texts.deal}
        placeholder={texts.dealPlaceholder}
        searchable
        allowDeselect={false}
        data={deal && !offered.some(({ value }) => value === deal.value) ? [deal, ...offered] : offered}
        value={deal?.value ?? null}
        // The server has filtered already.
        filter={({ options }) => options}
        nothingFoundMessage={texts.noDealFound}
        onSearchChange={(typed) => deals.search(typed === deal?.label ? '' : typed)}
        onChange={(_, option) => option && deals.choose(option)}
      />
      <IconAction
        ability={hasNeighbour(-1) || texts.noPrevious}
        label={texts.previous}
        icon={ChevronLeft}
        onClick={() => deals.step(-1)}
      />
      <IconAction
        ability={hasNeighbour(1) || texts.noNext}
        label={texts.next}
        icon={ChevronRight}
        onClick={() => deals.step(1)}
      />
      <Segments aria-label={texts.filling} data={fillings} value={filling} onChange={onFilling} />
    </div>
  );
}

/** Alt+Page Down shows the next deal, Alt+Page Up the previous one, with the focus anywhere on the screen. */
function useStepKeys(step: (by: 1 | -1) => void): void {
  useWindowKey((event) => {
    if (!event.altKey || (event.key !== 'PageDown' && event.key !== 'PageUp')) return;
    event.preventDefault();
    step(event.key === 'PageDown' ? 1 : -1);
  });
}
