import type { EmailTemplate } from '@forecourt/contract/email-templates';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Table2 from 'lucide-react/icons/table-2';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState, type ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts as templates } from '../../texts/email-templates.ts';
import { texts } from '../../texts/template-preview.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { addressText, MessagePreview } from '../../ui/MessagePreview.tsx';
import { previewQuery } from './email-templates.queries.ts';
import { PreviewChoice, type Filling } from './PreviewChoice.tsx';
import { SendTest } from './SendTest.tsx';
import type { TemplateValues } from './template-values.ts';
import { useSampleDeals } from './use-sample-deals.ts';
import { countKeys } from './variables/variable-keys.ts';

type TemplatePreviewProps = {
  values: TemplateValues;
  /** The saved template; undefined: not saved yet. */
  template: EmailTemplate | undefined;
  /** The shown template has unsaved changes. */
  isDirty: boolean;
};

/** The message that the template, saved or not, would send about a deal, and what prevents sending it. */
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
          // An incomplete template can be previewed, too.
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
            <MessagePreview
              message={{
                from: data.from ? addressText(data.from) : '',
                to: data.to.map(addressText),
                cc: data.cc.map(addressText),
                subject: data.subject,
                html: data.html,
                text: data.text,
                emptyVariables: data.emptyVariables,
              }}
            />
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
