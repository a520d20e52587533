import type { Deal } from '@forecourt/contract/deals';
import '../../ui/styles-dialog.ts';
import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Table2 from 'lucide-react/icons/table-2';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { addressText, MessagePreview } from '../../ui/MessagePreview.tsx';
import { previewQuery, sampleDealsQuery } from './email-templates.queries.ts';
import type { TemplateValues } from './template-values.ts';
import { countKeys } from './variables/variable-keys.ts';
import styles from './TemplatePreview.module.css';

type Choice = { value: string; label: string };

const choiceOf = ({ _id, customerName, dealershipName, dealNumber }: Deal): Choice => ({
  value: _id,
  label: [customerName, dealershipName, dealNumber].filter((part) => part !== '').join(' · '),
});

/** What the template, saved or not, would send about a real deal; what is in the way of sending, in words. */
export function TemplatePreview({ values }: { values: TemplateValues }): ReactNode {
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const deals = useQuery(sampleDealsQuery(wanted));
  const [chosen, setChosen] = useState<Choice | null>(null);
  const { data: latest } = useQuery(sampleDealsQuery(''));
  const choices = deals.data?.items.map(choiceOf) ?? [];
  const first = latest?.items[0];
  const deal = chosen ?? (first ? choiceOf(first) : null);

  const { data, error, isFetching, refetch } = useQuery(
    previewQuery(
      deal && {
        dealId: deal.value,
        template: {
          ...values,
          // A template that is only half written can be looked at, too.
          name: values.name.trim() || texts.untitled,
          subject: values.subject.trim() || texts.noSubject,
        },
      },
    ),
  );

  if (deals.error)
    return <LoadFailed error={deals.error} message={texts.dealsFailed} retry={() => void deals.refetch()} />;
  if (deals.data?.total === 0 && wanted === '') {
    return (
      <div className={styles.frame}>
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

  const declared = new Set(values.variables.map(({ key }) => key));
  const unknown = [...countKeys(values.subject, values.document).keys()].filter((key) => !declared.has(key));
  const problems = [...unknown.map(texts.unknownChip), ...(data?.problems ?? [])];
  return (
    <div className={styles.root}>
      <Select
        label={texts.deal}
        placeholder={texts.dealPlaceholder}
        searchable
        allowDeselect={false}
        data={deal && !choices.some(({ value }) => value === deal.value) ? [deal, ...choices] : choices}
        value={deal?.value ?? null}
        // The server has searched already.
        filter={({ options }) => options}
        nothingFoundMessage={texts.noDealFound}
        onSearchChange={(typed) => setSearch(typed === deal?.label ? '' : typed)}
        onChange={(_, option) => setChosen(option)}
      />
      {error && <LoadFailed error={error} message={messageOf(error)} retry={() => void refetch()} />}
      {data && !error && (
        <>
          {problems.length > 0 && (
            <div className={styles.problems} role="status">
              <TriangleAlert className={styles.icon} />
              <div>
                <p className={styles.problemsTitle}>{texts.problems}</p>
                <ul className={styles.list}>
                  {problems.map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              </div>
            </div>
          )}
          <div className={styles.message} data-stale={isFetching || undefined}>
            <MessagePreview
              message={{
                from: data.from ? addressText(data.from) : '',
                to: data.to.map(addressText),
                cc: data.cc.map(addressText),
                subject: data.subject,
                html: data.html,
                text: data.text,
              }}
            />
          </div>
        </>
      )}
    </div>
  );
}
