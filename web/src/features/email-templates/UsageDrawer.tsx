import { Anchor, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/template-usage.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { templateUsageQuery } from './email-templates.queries.ts';
import { TemplateUses } from './TemplateUses.tsx';

type UsageDrawerProps = { template: { _id: string; name: string }; onClose: () => void };

/** The usage of a template: dealerships and their contacts, sent and queued emails. */
export function UsageDrawer({ template, onClose }: UsageDrawerProps): ReactNode {
  const query = useQuery(templateUsageQuery(template._id));
  const { data } = query;
  return (
    <SideDrawer title={texts.title} width={400} onClose={onClose}>
      <Loaded of={query} message={texts.failed} loading={<Loader size={20} aria-label={texts.loading} />} />
      {data && (
        <>
          <h3 className="ui-mt-5 ui-mb-1">{texts.dealerships}</h3>
          <TemplateUses usage={data} />
          <h3 className="ui-mt-5 ui-mb-1">{texts.emails}</h3>
          {data.sent + data.waiting === 0 ? (
            <p className="ui-mb-1">{texts.neverSent}</p>
          ) : (
            <>
              {data.sent > 0 && <p className="ui-mb-1">{texts.sent(data.sent, data.sentIsCapped)}</p>}
              {data.lastSentAt && <p className="ui-mb-1">{texts.last(formatDateTime(data.lastSentAt))}</p>}
              {data.waiting > 0 && (
                <p className="ui-mb-1">{texts.waiting(data.waiting, data.waitingMerges)}</p>
              )}
              <Anchor component={Link} to={paths.emailHistoryOfTemplate(template.name)} inherit>
                {texts.history}
              </Anchor>
            </>
          )}
        </>
      )}
    </SideDrawer>
  );
}
