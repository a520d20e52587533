import type { ListedDeal } from '@forecourt/contract/deal-list';
import type { EmailTemplate } from '@forecourt/contract/email-templates';
import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Table2 from 'lucide-react/icons/table-2';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState, type ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { texts as templates } from '../../texts/email-templates.ts';
import { texts } from '../../texts/template-preview.ts';
import { ActionButton, IconAction } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import '../../ui/styles-dialog.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { MessagePreview, previewedMessage } from '../../ui/MessagePreview.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useWindowKey } from '../../ui/use-window-key.ts';
import { sendFailure, useSendEmail } from '../email-sending/email-sending.queries.ts';
import { loadFollowMessage } from '../email-sending/send-dialogs.lazy.ts';
import { previewQuery, sampleDealsQuery } from './email-templates.queries.ts';
import type { TemplateValues } from './template-values.ts';
import { countKeys } from './variables/variable-keys.ts';

type TemplatePreviewProps = {
  values: TemplateValues;
  /** Undefined before the first save. */
  template: EmailTemplate | undefined;
  /** Whether the template has unsaved changes. */
  isDirty: boolean;
};

/** The message about a deal that the template would send, saved or not, and its problems. */
export function TemplatePreview({ values, template, isDirty }: TemplatePreviewProps): ReactNode {
  const deals = useSampleDeals();
  const [filling, setFilling] = useState<Filling>('deal');
  const { deal } = deals;
  const preview = useQuery(
    previewQuery(
      deal && {
        dealId: deal.value,
        ...(filling !== 'deal' && { sample: filling }),
        ...(template && { templateId: template._id }),
        template: {
          ...values,
          // An incomplete template can be previewed too.
          name: values.name.trim() || texts.untitled,
          subject: values.subject.trim() || texts.noSubject,
        },
      },
    ),
  );

  const { data, isFetching } = preview;
  if (deals.isEmpty) return <NothingToTry />;

  const declared = new Set(values.variables.map(({ key }) => key));
  const unknown = [...countKeys(values.subject, values.document).keys()].filter((key) => !declared.has(key));
  const problems = [...unknown.map(templates.unknownChip), ...(data?.problems ?? [])];
  return (
    <div className="ui-stack ui-gap-3">
      <Loaded of={deals.lists} message={texts.dealsFailed} />
      <PreviewChoice deals={deals} filling={filling} onFilling={setFilling} />
      <Loaded of={preview} message={texts.failed} />
      {data && (
        <>
          {problems.length > 0 && <Problems sentences={problems} />}
          <div data-stale={isFetching || undefined}>
            <MessagePreview message={previewedMessage(data)} />
          </div>
        </>
      )}
      {deal && <SendTest template={isDirty ? undefined : template} dealId={deal.value} />}
    </div>
  );
}

function Problems({ sentences }: { sentences: readonly string[] }): ReactNode {
  return (
    <div className="ui-notice ui-line ui-top ui-gap-3" role="status">
      <TriangleAlert className="ui-fixed" />
      <div>
        <p className="ui-bold">{texts.problems}</p>
        <ul className="ui-bullets ui-mt-1">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function NothingToTry(): ReactNode {
  return (
    <div className="ui-card">
      <EmptyState
        icon={<Table2 />}
        title={texts.noDeals}
        action={
          <Button variant="default" component={Link} to={paths.dataEntry}>
            {texts.openDataEntry}
          </Button>
        }
      >
        {texts.noDealsNext}
      </EmptyState>
    </div>
  );
}

/** The values of the preview: those of a deal, the longest possible ones, or none. */
type Filling = keyof typeof texts.fillings;

type PreviewChoiceProps = {
  deals: ReturnType<typeof useSampleDeals>;
  filling: Filling;
  onFilling: (filling: Filling) => void;
};

/** Chooses the deal of the preview by search, buttons or keys, or the longest values. */
function PreviewChoice({ deals, filling, onFilling }: PreviewChoiceProps): ReactNode {
  const { deal, offered, hasNeighbour } = deals;
  useStepKeys(deals.step);
  return (
    <div className="ui-row ui-bottom">
      <Select
        flex="1 1 240px"
        label={texts.deal}
        placeholder={texts.dealPlaceholder}
        searchable
        data={deal && !offered.some(({ value }) => value === deal.value) ? [deal, ...offered] : offered}
        value={deal?.value ?? null}
        // The list is not filtered again: the server has filtered it.
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
      <Segments aria-label={texts.filling} labels={texts.fillings} value={filling} onChange={onFilling} />
    </div>
  );
}

/** Alt+Page Down shows the next deal, Alt+Page Up the previous one, wherever the focus is. */
function useStepKeys(step: (by: 1 | -1) => void): void {
  useWindowKey((event) => {
    if (!event.altKey || (event.key !== 'PageDown' && event.key !== 'PageUp')) return;
    event.preventDefault();
    step(event.key === 'PageDown' ? 1 : -1);
  });
}

type SendTestProps = {
  /** Undefined while there are unsaved changes. */
  template: EmailTemplate | undefined;
  dealId: string;
};

/** Sends the message of the preview to the user only. */
function SendTest({ template, dealId }: SendTestProps): ReactNode {
  const { user } = useSession();
  const { mutateAsync, isPending } = useSendEmail();
  const [message, setMessage] = useState<string | null>(null);

  const send = async (templateId: string, email: string): Promise<void> => {
    setMessage(null);
    try {
      const body = { dealId, to: [email], again: true };
      const entry = await mutateAsync({ params: { templateId }, body });
      const follow = await loadFollowMessage();
      follow(entry, body);
    } catch (thrown) {
      setMessage(texts.testFailed(sendFailure(thrown)));
    }
  };

  return (
    <div className="ui-stack ui-gap-2 ui-bottom">
      <FormMessage text={message} />
      <ActionButton
        variant="default"
        ability={rejectionReason(template)}
        loading={isPending}
        onClick={() => template && user && void send(template._id, user.email)}
      >
        {texts.sendTest}
      </ActionButton>
    </div>
  );
}

function rejectionReason(template: EmailTemplate | undefined): true | string {
  if (!template) return texts.testUnsaved;
  return template.status === 'active' || texts.testDraft;
}

type DealChoice = { value: string; label: string };

const choiceOf = ({ _id, customerName, dealershipName, dealNumber }: ListedDeal): DealChoice => ({
  value: _id,
  label: [customerName, dealershipName, dealNumber].filter(Boolean).join(' · '),
});

function useDealList(search: string) {
  const query = useInfiniteQuery(sampleDealsQuery(search));
  return { ...query, deals: query.data?.pages.flatMap(({ items }) => items.map(choiceOf)) };
}

/** The deals of the preview, newest first, from a search or by stepping through its result. */
function useSampleDeals() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [chosen, setChosen] = useState<{ deal: DealChoice; search: string } | null>(null);
  const offered = useDealList(search);
  const inOrder = useDealList(chosen?.search ?? '');

  const deals = inOrder.deals ?? [];
  const deal = chosen?.deal ?? deals[0] ?? null;
  const place = deals.findIndex(({ value }) => value === deal?.value);
  const neighbour = (by: 1 | -1): DealChoice | undefined => (place === -1 ? undefined : deals[place + by]);

  return {
    deal,
    offered: offered.deals ?? [],
    lists: [offered, inOrder],
    isEmpty: search === '' && offered.deals?.length === 0,
    search: setTyped,
    choose: (next: DealChoice) => setChosen({ deal: next, search }),
    hasNeighbour: (by: 1 | -1) => neighbour(by) !== undefined,
    /** Moves to the next or previous deal. Loads more deals before the end of the list. */
    step: (by: 1 | -1): void => {
      const next = neighbour(by);
      if (!next) return;
      setChosen({ deal: next, search: chosen?.search ?? '' });
      if (by === 1 && place + 3 >= deals.length && inOrder.hasNextPage) void inOrder.fetchNextPage();
    },
  };
}
