import type { FailedJob, RecurringJob } from '@forecourt/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import ListChecks from 'lucide-react/icons/list-checks';
import Play from 'lucide-react/icons/play';
import RotateCw from 'lucide-react/icons/rotate-cw';
import type { ReactNode } from 'react';
import { texts } from '../../texts/jobs.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import {
  failedColumns,
  jobColumns,
  kindOf,
  nameOf,
  queueColumns,
  recurringColumns,
} from './jobs.columns.tsx';
import { jobListQuery, useRetry, useRunNow } from './jobs.queries.ts';
import styles from './JobsScreen.module.css';

/** Background work, for administrators (docs/product/background-work.md). */
export function JobsScreen(): ReactNode {
  const query = useQuery(jobListQuery);
  const { data } = query;
  return (
    <Page wide>
      <PageHeader title={texts.title} note={texts.note} />
      <Loaded of={query} message={texts.loadFailed}>
        <div className={styles.cards}>
          <Card title={texts.jobs}>
            <DataTable
              label={texts.jobs}
              name="jobs"
              columns={jobColumns}
              rows={data?.jobs}
              rowKey={({ _id }) => _id}
              rowLabel={kindOf}
              empty={
                <EmptyState icon={<ListChecks />} title={texts.empty}>
                  {texts.emptyNext}
                </EmptyState>
              }
            />
          </Card>
          <Card title={texts.recurringTitle}>
            <RecurringWork rows={data?.recurring} />
          </Card>
          <Card title={texts.queuesTitle}>
            <DataTable
              label={texts.queuesTitle}
              name="job-queues"
              columns={queueColumns}
              rows={data?.queues}
              rowKey={({ name }) => name}
              rowLabel={({ name }) => texts.queues[name]}
              empty={<EmptyState title={texts.noQueues} />}
            />
            <h3 className={styles.heading}>{texts.failedTitle}</h3>
            <FailedJobs rows={data?.failed} />
          </Card>
        </div>
      </Loaded>
    </Page>
  );
}

function RecurringWork({ rows }: { rows: readonly RecurringJob[] | undefined }): ReactNode {
  const { mutate } = useRunNow();
  const run = (job: RecurringJob): void =>
    mutate(job.name, toastOutcome(texts.begun(nameOf(job)), texts.runFailed));
  return (
    <DataTable
      label={texts.recurringTitle}
      name="recurring-jobs"
      columns={recurringColumns}
      rows={rows}
      rowKey={({ name }) => name}
      rowLabel={nameOf}
      empty={<EmptyState title={texts.noRecurring} />}
      actions={(job) =>
        job.status === 'running' ? null : (
          <IconAction
            label={(job.status === 'failed' ? texts.runAgain : texts.run)(nameOf(job))}
            icon={job.status === 'failed' ? RotateCw : Play}
            onClick={() => run(job)}
          />
        )
      }
    />
  );
}

function FailedJobs({ rows }: { rows: readonly FailedJob[] | undefined }): ReactNode {
  const { mutate } = useRetry();
  const retry = ({ _id }: FailedJob): void => mutate(_id, toastOutcome(texts.retried, texts.retryFailed));
  return (
    <DataTable
      label={texts.failedTitle}
      name="failed-jobs"
      columns={failedColumns}
      rows={rows}
      rowKey={({ _id }) => _id}
      rowLabel={({ queue }) => texts.queues[queue]}
      empty={
        <EmptyState icon={<CircleCheck />} title={texts.noFailed}>
          {texts.noFailedNext}
        </EmptyState>
      }
      actions={(job) => (
        <IconAction label={texts.retry(texts.queues[job.queue])} icon={RotateCw} onClick={() => retry(job)} />
      )}
    />
  );
}
